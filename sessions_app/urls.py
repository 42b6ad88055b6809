"""Every address of the app. Each view wears `access.page`, which says who may come in."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from sessions_app.access import ANYONE, page
from sessions_app.views import (
    announce,
    demo,
    entries,
    hand,
    hand_form,
    health,
    home,
    invite,
    join,
    kept,
    lineup,
    members,
    past,
    phone,
    referee,
    rules,
    session,
    session_edit,
    session_new,
    session_next,
    session_remove,
    settle,
    table_view,
)

hand_urls: list[URLPattern | URLResolver] = [
    path("new/", hand_form.new, name="hand-new"),
    path("new/live/", hand_form.live, name="hand-new-live"),
    path("preview/", hand_form.preview, name="hand-preview"),
    path("<int:number>/", hand.show, name="hand"),
    path("<int:number>/edit/", hand_form.edit, name="hand-edit"),
    path("<int:number>/void/", hand.void, name="hand-void"),
    path("<int:number>/restore/", hand.restore, name="hand-restore"),
    path("<int:number>/mark/", hand.mark, name="hand-mark"),
]
referee_urls: list[URLPattern | URLResolver] = [
    path("", referee.show, name="referee"),
    path("live/", referee.live, name="referee-live"),
    path("announce/", referee.name, name="referee-announce"),
    path("finish/", referee.finish, name="referee-finish"),
    *(path(f"{verb}/", referee.act, {"verb": verb}, name=f"referee-{verb}") for verb in referee.VERBS),
]
member_urls: list[URLPattern | URLResolver] = [
    path("", members.show, name="members"),
    path("me/", members.me, name="member-me"),
    path("leave/", members.leave, name="member-leave"),
    path("claim/", members.claim, name="owner-claim"),
    path("claim/object/", members.object_to_claim, name="owner-object"),
    path("claim/take/", members.take_over, name="owner-take"),
    path("<int:member_id>/role/", members.role, name="member-role"),
    path("<int:member_id>/remove/", members.remove, name="member-remove"),
]
profile_urls: list[URLPattern | URLResolver] = [
    path("", kept.show, name="profiles"),
    path("keep/", kept.keep, name="profile-keep"),
    path("<int:profile_id>/rename/", kept.rename, name="profile-rename"),
    path("<int:profile_id>/remove/", kept.remove, name="profile-remove"),
]
evening_urls: list[URLPattern | URLResolver] = [
    path("", session.show, name="session"),
    path("live/", session.live, name="session-live"),
    path("edit/", session_edit.show, name="session-edit"),
    path("next/", session_next.show, name="session-next"),
    path("lineup/", lineup.show, name="lineup"),
    path("lineup/home/", lineup.home, name="lineup-home"),
    path("remove/", session_remove.show, name="session-remove"),
    path("invite/", invite.show, name="invite"),
    path("invite/<str:role>/", invite.link, name="invite-link"),
    path("invite/<str:role>/revoke/", invite.revoke, name="invite-revoke"),
    path("members/", include(member_urls)),
    path("profiles/", include(profile_urls)),
    path("announce/", announce.new, name="announce"),
    path("announce/back/", announce.take_back, name="announce-back"),
    path("announce/put-back/", announce.put_back, name="announce-put-back"),
    path("referee/", include(referee_urls)),
    path("table/", table_view.show, name="table-view"),
    path("table/live/", table_view.live, name="table-view-live"),
    path("settle/", settle.show, name="settle"),
    path("end/", settle.end, name="session-end"),
    path("reopen/", settle.reopen, name="session-reopen"),
    path("hands/", include(hand_urls)),
    path("entries/new/", entries.new, name="entries-new"),
    path("entries/<int:number>/edit/", entries.edit, name="entries-edit"),
]
urlpatterns = [
    path("", home.show, name="home"),
    path("sessions/", past.show, name="sessions"),
    path("sessions/new/", session_new.new, name="session-new"),
    path("sessions/<int:evening_id>/", include(evening_urls)),
    path("games/<str:game_key>/rules/", rules.show, name="game-rules"),
    path("games/<str:game_key>/worth/", rules.worth, name="game-worth"),
    path("join/<str:token>/", join.show, name="join"),
    path("demo/", demo.show, name="demo"),
    path("demo/clear/", demo.clear, name="demo-clear"),
    path("language/", page(ANYONE, "POST")(set_language), name="set_language"),
    path("token/", phone.token, name="token"),
    path("sw.js", phone.service_worker, name="service-worker"),
    path("manifest.webmanifest", phone.manifest, name="manifest"),
    path("offline/", phone.offline, name="offline"),
    path("healthz", health.show, name="healthz"),
]
