"""All URLs of the app. Every view has the decorator `access.page`, which checks permissions."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from sessions_app.access import ANYONE, page
from sessions_app.views import (
    circle,
    circle_player,
    circle_year,
    count_tables,
    demo,
    evening,
    evening_edit,
    evening_new,
    export,
    hand,
    health,
    home,
    house_profiles,
    invite,
    join,
    lineup,
    members,
    past,
    pwa,
    repayments,
    rules,
    settle,
    statement,
    statistics,
    table_view,
)
from sessions_app.views.hand_form import announce, entries, record, referee

hand_urls: list[URLPattern | URLResolver] = [
    path("new/", record.new, name="hand-new"),
    path("new/live/", record.news, name="hand-new-live"),
    path("preview/", record.preview, name="hand-preview"),
    path("<int:number>/", hand.show, name="hand"),
    path("<int:number>/edit/", record.edit, name="hand-edit"),
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
    path("", house_profiles.show, name="house-profiles"),
    path("keep/", house_profiles.save, name="house-profile-save"),
    path("<int:profile_id>/rename/", house_profiles.rename, name="house-profile-rename"),
    path("<int:profile_id>/remove/", house_profiles.remove, name="house-profile-remove"),
]
evening_urls: list[URLPattern | URLResolver] = [
    path("", evening.show, name="evening"),
    path("live/", evening.live, name="evening-live"),
    path("count-tables/", count_tables.show, name="count-tables"),
    path("edit/", evening_edit.show, name="evening-edit"),
    path("next/", evening_new.next_evening, name="evening-next"),
    path("lineup/", lineup.show, name="lineup"),
    path("lineup/home/", lineup.home, name="lineup-home"),
    path("remove/", evening_edit.remove, name="evening-remove"),
    path("invite/", invite.show, name="invite"),
    path("invite/<str:role>/", invite.link, name="invite-link"),
    path("invite/<str:role>/revoke/", invite.revoke, name="invite-revoke"),
    path("members/", include(member_urls)),
    path("profiles/", include(profile_urls)),
    path("announce/", announce.new, name="announce"),
    path("announce/back/", announce.take_back, name="announce-back"),
    path("announce/put-back/", announce.put_back, name="announce-put-back"),
    path("referee/", include(referee_urls)),
    path("export.csv", export.evening_csv, name="evening-csv"),
    path("table/", table_view.show, name="table-view"),
    path("table/live/", table_view.live, name="table-view-live"),
    path("settle/", settle.show, name="settle"),
    path("end/", settle.end, name="evening-end"),
    path("reopen/", settle.reopen, name="evening-reopen"),
    path("hands/", include(hand_urls)),
    path("entries/new/", entries.new, name="entries-new"),
    path("entries/<int:number>/edit/", entries.edit, name="entries-edit"),
]
player_urls: list[URLPattern | URLResolver] = [
    path("", circle_player.show, name="circle-player"),
    path("statement/", statement.show, name="statement"),
    path("rename/", circle_player.rename, name="player-rename"),
    path("mark/", circle_player.mark, name="player-mark"),
    path("rest/", circle_player.rest, name="player-rest"),
    path("mine/", circle_player.mine, name="player-mine"),
    path("merge/", circle_player.merge, name="player-merge"),
    path("unmerge/", circle_player.unmerge, name="player-unmerge"),
]
repayment_urls: list[URLPattern | URLResolver] = [
    path("", repayments.show, name="repayments"),
    path("<int:repayment_id>/undo/", repayments.undo, name="repayment-undo"),
    path("coins/", repayments.coins, name="cash-coins"),
]
circle_urls: list[URLPattern | URLResolver] = [
    path("", circle.show, name="circle"),
    path("rename/", circle.rename, name="circle-rename"),
    path("export.csv", export.circle_csv, name="circle-csv"),
    path("statistics/", statistics.circle, name="circle-statistics"),
    path("years/<int:year>/", circle_year.show, name="circle-year"),
    path("players/<int:player_id>/statistics/", statistics.player, name="player-statistics"),
    path("players/<int:player_id>/statistics/<str:measure>/", statistics.evenings, name="figure-evenings"),
    path("players/<int:player_id>/", include(player_urls)),
    path("repayments/", include(repayment_urls)),
]
urlpatterns = [
    path("", home.show, name="home"),
    path("sessions/", past.show, name="past"),
    path("sessions/new/", evening_new.new, name="evening-new"),
    path("sessions/<int:evening_id>/", include(evening_urls)),
    path("circles/<int:circle_id>/", include(circle_urls)),
    path("games/<str:game_key>/rules/", rules.show, name="game-rules"),
    path("games/<str:game_key>/worth/", rules.worth, name="game-worth"),
    path("join/", join.paste, name="join-paste"),
    path("join/<str:token>/", join.show, name="join"),
    path("demo/", demo.show, name="demo"),
    path("demo/clear/", demo.clear, name="demo-clear"),
    path("language/", page(ANYONE, "POST")(set_language), name="set_language"),
    path("token/", pwa.token, name="token"),
    path("messages/<str:language>-<str:version>.js", pwa.messages, name="messages"),
    path("sw.js", pwa.service_worker, name="service-worker"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("offline/", pwa.offline, name="offline"),
    path("healthz", health.alive, name="healthz"),
    path("healthz/ready", health.ready, name="healthz-ready"),
]
