/** What happened, in words: one event of the log as a line to read and a sentence to hear. */

/**
 * context: {phrases, nameOf(seat), sideName(side), joined(tile) -> the pips it was laid against, or null, withTotal}.
 * Answers {text, heard, seat, points, tone}, or null for what nobody needs to be told.
 */
export function tell(event, context) {
  const teller = TELLERS[event.kind];
  if (!teller) return null;
  const { phrases, nameOf } = context;
  const name = event.seat === undefined || event.seat === null ? "" : nameOf(event.seat);
  const told = teller(event, { ...context, name, say: (key, values) => phrases.say(key, { name, ...values }) });
  return told && { seat: event.seat ?? null, points: 0, tone: "", heard: told.text, ...told };
}

const TELLERS = {
  round_started: (event, { say }) => ({ text: say("event_round", { n: event.number }), tone: "round" }),
  played: tellPlayed,
  drew: (event, { phrases, name }) => ({ text: phrases.count("event_drew", event.count, { name }), note: `+${event.count}`, tone: "drew" }),
  passed: (_, { say }) => ({ text: say("event_passed"), note: say("note_passed"), tone: "passed" }),
  claimed: (event, { say }) => ({ text: say("event_claimed", { points: event.points }), points: event.score, tone: event.score ? "paid" : "" }),
  round_ended: tellRoundEnd,
  resigned: (_, { say }) => ({ text: say("event_resigned") }),
  match_ended: (event, { say, sideName }) =>
    event.winner === null ? { text: say("event_match_over") } : { text: say("event_match_won", { name: sideName(event.winner) }) },
  joined: (_, { say, name }) => name && { text: say("event_joined") },
  left: (_, { say, name }) => name && { text: say("event_left") },
  away: (_, { say }) => ({ text: say("event_away") }),
  back: (_, { say }) => ({ text: say("event_back") }),
};

function tellPlayed(event, { say, joined, withTotal }) {
  const values = { tile: event.tile, pips: joined(event.tile), points: event.score, total: event.total };
  const leads = event.end === null || event.end === undefined;
  const key = leads || values.pips === null ? "event_led" : "event_played";
  const text = say(event.score ? `${key}_scored` : key, values);
  const spoken = { ...values, tile: event.tile.replace("-", " ") };
  const parts = [say(key === "event_led" ? "heard_led" : "heard_played", spoken)];
  if (withTotal && event.total !== undefined && event.total !== null) parts.push(say("heard_total", spoken));
  if (event.score) parts.push(say("heard_score", spoken));
  return { text, heard: parts.join(" "), points: event.score, note: event.score ? `+${event.score}` : "", tone: event.score ? "paid" : "" };
}

function tellRoundEnd(event, { say, nameOf, sideName }) {
  if (event.reason === "domino") return { text: say("end_domino", { name: nameOf(event.out) }), seat: event.out };
  if (event.reason === "blocked" && event.winner !== null) return { text: say("end_blocked", { name: sideName(event.winner) }) };
  if (event.reason === "blocked") return { text: say("end_tied") };
  return { text: say("end_target") };
}
