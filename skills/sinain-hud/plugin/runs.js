/**
 * What the plugin remembers between two hooks: each session's tool calls and text, each run's course.  [sinain §3.5]
 *
 * In memory only and bounded. Sessions are kept by session key, the one name that every hook is given:
 * `tool_result_persist` knows no session id.
 */

const MOST = 500; // sessions and runs; the oldest goes first
const MOST_TEXTS = 50; // of up to 40,000 characters

/**
 * @typedef {object} SessionState
 * @property {number} startedAt epoch milliseconds
 * @property {Map<string, number>} toolUsage tool → calls since the run began
 */

/**
 * @typedef {object} Told
 * @property {string} since when the session last began anew: what koog kept of before that is not meant
 * @property {any} text koog's last answer to prompt-build
 */

/**
 * @typedef {object} RunState
 * @property {boolean} begun its first hook has come
 * @property {boolean} started agent-start was sent
 * @property {string | null} asked the `since` of the session's text when prompt-build was answered, null before that
 * @property {boolean | null} success how the run ended as far as koog was told, null while it was told nothing
 */

export class Memory {
  /** @type {Map<string, SessionState>} */
  sessions = new Map();
  /** @type {Map<string, RunState>} */
  runs = new Map();
  /** @type {Map<string, Told>} */
  texts = new Map();
  /** @type {Map<string, string>} agent → its workspace: hooks of sessions are not told */
  workspaces = new Map();
  /** @type {Set<string>} sessions whose flush before compaction failed */
  unflushed = new Set();

  /** @param {string} key @returns {SessionState} */
  session(key) {
    return entry(this.sessions, key, () => ({ startedAt: Date.now(), toolUsage: new Map() }));
  }

  /** A run that the host gave no id is a run of its own each time. @param {string | undefined} id @returns {RunState} */
  run(id) {
    const make = () => ({ begun: false, started: false, asked: null, success: null });
    return id ? entry(this.runs, id, make) : make();
  }

  /** A run's tool calls are counted from its first hook. @param {string | undefined} id @param {string} key */
  begin(id, key) {
    const run = this.run(id);
    if (!run.begun) this.sessions.delete(key);
    run.begun = true;
    return run;
  }

  /** What a session was told; of before the plugin was loaded koog knows. @param {string} key @returns {Told} */
  told(key) {
    return entry(this.texts, key, () => ({ since: "", text: null }), MOST_TEXTS);
  }

  /** The session begins anew, or what was said in it is compacted: its text is asked for again. @param {string} key */
  renew(key) {
    Object.assign(this.told(key), { since: new Date().toISOString(), text: null });
  }

  /** @param {string} key @param {string | undefined} tool */
  countTool(key, tool) {
    const { toolUsage } = this.session(key);
    const name = tool || "unknown";
    toolUsage.set(name, (toolUsage.get(name) ?? 0) + 1);
  }

  /** @param {string} key */
  forgetSession(key) {
    this.sessions.delete(key);
    this.unflushed.delete(key);
  }

  clear() {
    for (const kept of [this.sessions, this.runs, this.texts, this.workspaces, this.unflushed]) kept.clear();
  }
}

/**
 * Return an entry of a bounded map, made when it is missing.
 *
 * @template T
 * @param {Map<string, T>} map
 * @param {string} key
 * @param {() => T} make
 * @param {number} [most]
 * @returns {T}
 */
function entry(map, key, make, most = MOST) {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
    if (map.size > most) map.delete(map.keys().next().value);
  }
  return value;
}
