/**
 * Every number that decides how long a stored lead waits; README.md beside this file explains each in the order of a lead's way.
 * Numbers from a measurement name it. Installations set WEBHOOK_CONCURRENCY and WEBHOOK_ENDPOINT_CONCURRENCY instead.
 */

/** priorities.ts: the token bucket of each source or client; events beyond it get a lower priority. */
export const PRIORITY = {
  /** events; a lead brings two (docs/decisions/0011-who-gives-way.md) */
  atOnce: 100,
  /** events a second: 300 leads, more than any source brings for long */
  perSecond: 600,
  /** events of one priority: after each hundred of a burst the other bursts have theirs */
  round: 100,
  /** senders remembered in one process; a forgotten one begins with a full bucket */
  kept: 10_000,
} as const

/** fan-out.ts: how many deliveries of a client's leads go at once beside the first of each. */
export const FAN_OUT = {
  /** deliveries of one lead at priority 0, the first included; a client with more webhooks waits only for itself */
  ofLead: 25,
  /** deliveries, planned by all workers */
  atOnce: 50,
  /** deliveries a second, planned by all workers: as many as may always begin at low priority */
  perSecond: 50,
  /** clients remembered in one process; a forgotten one begins with a full bucket */
  kept: 10_000,
} as const

/** core/concurrency/slices.ts: what may be long to make, payloads, settings, conditions and answers. */
export const SLICES = {
  /** milliseconds of a turn of the event loop, and so what others wait for */
  mostMs: 2,
} as const

/** worker/housekeeping/imports: rows of files, which nobody waits for. */
export const IMPORTS = {
  /** rows that are stored together */
  piece: 50,
  /** pause after each piece, in multiples of the time it took */
  restTimes: 1,
} as const

/** The planning of events (worker/pipeline/1-plan-deliveries.ts). */
export const PLANS = {
  /** jobs in flight in one process */
  atOnce: 200,
  /** the same of bursts, which are planned in pieces, with rests */
  burstsAtOnce: 50,
  /** events that are planned together */
  batch: 200,
  /** deliveries that are planned together: of many webhooks' events few, so that who has few does not wait for them */
  deliveries: 100,
  /** the same of one client, but for his first lead, which is planned whole: a piece of a batch, where a lead is one delivery */
  deliveriesOfClient: 25,
  /** the same of bursts: a single event finds the database free after so many */
  burstPiece: 25,
  /** milliseconds between two pieces of a burst, however few of its deliveries may begin */
  longestRestMs: 1500,
  /** milliseconds that those planned together wait for a row that somebody has locked: longer than anybody's ordinary commit */
  patienceMs: 250,
  /** the same while the rows of some are known to be locked: whose they are, and what else comes of him, is not known */
  patienceMeanwhileMs: 25,
  /** events that wait for somebody's lock, and milliseconds for which that is remembered after they were last tried */
  heldUpKept: 10_000,
  heldUpMs: 15_000,
  /** times that a client's events among them wait for a lock before those that are left are put off to the next try */
  waitsOfHeldUp: 3,
} as const

/** limit-low-priority.ts: how many deliveries of low priority may be planned and begin while first attempts wait for us. */
export const LOW_PRIORITY = {
  /** beginnings in a second; claim batches at their pace make no more */
  mostPerSecond: 5000,
  /** beginnings in a second of all workers, where nothing is known yet: workers whose code is cold can do no more beside others */
  startPerSecond: 100,
  /** beginnings in a second of all workers, also while others wait */
  leastPerSecond: 50,
  /** beginnings in one claim batch, or a second's divided by its pace: after so few a single lead finds process and database free */
  atOnce: 8,
  /** the number grows only while at least this part of it is used */
  used: 1 / 2,
  /** milliseconds between two adjustments */
  adjustEveryMs: 200,
  /**
   * milliseconds that a first attempt waits for us, from its event on. Above this, and above {@link timesTheBest} of the best, low
   * priority is held back. A distant database is no reason by itself.
   */
  tolerableMs: 15,
  timesTheBest: 1.5,
  /** at each adjustment: the best is forgotten slowly, because an hour-old best says little */
  forgetting: 1.0005,
  /** first attempts to judge by, so that one pause of the process does not decide */
  fewestSamples: 5,
  /** milliseconds after which fewer are enough */
  judgeWithinMs: 1000,
  /** milliseconds: a delivery that waited longer than this did not wait for room */
  longAgoMs: 5000,
  /** milliseconds after which a client is not active any more, or not above its share any more */
  quietMs: 1000,
  /** clients above their share that are remembered in one process */
  kept: 10_000,
  shrink: 1 / 2,
  /** at each adjustment */
  grow: 1.1,
  /** the same while it is less than at the start */
  growBack: 1.25,
} as const

/** slot-pool.ts: how many of a worker's slots a client may have, and how many requests an endpoint gets at a time. */
export const SHARE = {
  /**
   * of what is free beyond the reserve, a client may hold so many times as much: 2/3 of it, who comes next 2/9, …; one who has
   * been alone for {@link activeMs} milliseconds, all of it
   */
  greed: 2,
  activeMs: 10_000,
  /** the part of the slots that is kept for clients who hold none */
  reserve: 1 / 5,
  /** milliseconds; an exchange longer than this makes its endpoint slow, until one ends sooner */
  slowMs: 2000,
  /** the same of an endpoint that has never answered: it does not keep the next one from being tried for longer */
  doubtMs: 500,
  /** the parts of the slots that all slow endpoints share, and all that have never answered (docs/decisions/0010-who-holds-the-slots.md) */
  partOfSlow: 1 / 2,
  partOfNew: 1 / 4,
  /** up to this part, a client with a slow endpoint who holds nothing has one slot all the same */
  mostOfSlow: 3 / 4,
  /** in flight to one endpoint that has never answered, and to all such of one client */
  newAtOnce: 2,
  newPerClient: 5,
  /** idle endpoints that are remembered in one process */
  kept: 10_000,
} as const

/** heavy-payloads.ts: payloads that take a worker's one thread longer than others may wait for. */
export const HEAVY = {
  /** characters; shorter ones are all alike */
  free: 32 * 1024,
  /** characters of heavy ones, in one worker: two of the longest, which take it some five milliseconds each where nothing is searched for */
  atOnce: 512 * 1024,
  /** characters of heavy ones that are made in a second by all workers, beside somebody else */
  perSecond: 4 * 1024 * 1024,
  /** characters: four seconds later some may begin again, whatever was not expected */
  mostDebt: 16 * 1024 * 1024,
  /** milliseconds for which somebody who got a slot is still about */
  activeMs: 1000,
  /** endpoints whose weight is remembered in one process */
  kept: 10_000,
} as const

/** worker/dispatch: how due deliveries are claimed. */
export const DISPATCH = {
  /** deliveries in a claim batch, few enough that the next batch is soon */
  most: 50,
  /** the same while no other client is active: 50 at their pace are 5,000 a second, and two cores carry more */
  mostInQuiet: 100,
  /** deliveries that a worker has claimed and not yet recorded, for each slot */
  mostOpen: 1.5,
  /** up to so many deliveries planned together are sent by the worker that planned them; for more it wakes the others */
  aloneMost: 20,
  /** requests in flight in all workers together from which on a client is above its share (limit-low-priority.ts) */
  share: 10,
  /** the same in one worker at least: a lead's deliveries to a few webhooks begin in the worker that planned them */
  shareInOneWorker: 5,
  /** endpoints of one client that a claim batch asks for room; the next batch asks the next ones */
  looks: 8,
  /** milliseconds between two claim batches, so that deliveries gather; the first after a rest goes at once */
  paceMs: 10,
  /** milliseconds after which clients without room are asked again, though no delivery has ended */
  againMs: 100,
  /** one claim in so many prefers low priority (retries, bursts), so that nothing waits for ever */
  lowPriorityEvery: 4,
  /** milliseconds between two polls of each worker for due deliveries */
  lookEveryMs: 1000,
  /** milliseconds: a retry due sooner than this begins on time; the poll finds others */
  timedMs: 60_000,
} as const
