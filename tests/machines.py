"""Run a state machine of Hypothesis with each of its runs in a transaction of its own, which is rolled back."""

from django.db import transaction
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.selection import heavy


def run_in_transactions(machine: type[RuleBasedStateMachine], steps: int, most_examples: int = 25) -> None:
    class InTransaction(machine):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            self._around = transaction.atomic()
            self._around.__enter__()

        def teardown(self) -> None:
            try:
                super().teardown()
            finally:
                transaction.set_rollback(True)
                self._around.__exit__(None, None, None)

    examples = min(heavy().max_examples, most_examples)
    run_state_machine_as_test(
        InTransaction, settings=settings(heavy(), max_examples=examples, stateful_step_count=steps)
    )
