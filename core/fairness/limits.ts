/**
 * Every number that decides how long a stored lead waits. README.md beside this file explains each in the order of a
 * lead's journey. Numbers from a measurement name it. Installations set WEBHOOK_CONCURRENCY and
 * WEBHOOK_ENDPOINT_CONCURRENCY instead.
 */

/** priorities.ts: the token bucket of each source or client; events beyond it get a lower priority. */
export const PRIORITY = {
  /** events; a lead brings two (docs/decisions/0011-who-gives-way.md) */
  atOnce: 100,
  /** events a second: 300 leads, more than any source brings for long */
  perSecond: 600,
  /** events of one priority: after each hundred of a burst the other bursts get their turn */
  round: 100,
  /** senders remembered in one process; a forgotten one begins with a full bucket */
  kept: 10_000,
} as const

/** fan-out.ts: how many deliveries of a client's leads go at once beside the first of each. */
export const FAN_OUT = {
  /** deliveries of one lead at priority 0, the first included; a client with more webhooks delays only itself */
  ofLead: 25,
  /** deliveries, planned by all workers */
  atOnce: 50,
  /** deliveries a second, planned by all workers: as many as may always begin at low priority */
  perSecond: 50,
  /** clients remembered in one process; a forgotten one begins with a full bucket */
  kept: 10_000,
} as const

/** core/concurrency/slices.ts: work that may take long: making payloads, settings, conditions and answers. */
export const SLICES = {
  /** milliseconds of a turn of the event loop; other work waits at most that long */
  mostMs: 2,
} as const

/** worker/housekeeping/imports: rows of files, which nobody waits for. */
export const IMPORTS = {
  /** rows that are stored together */
  piece: 50,
  /** pause after each piece, in multiples of the time it took */
  restTimes: 1,
} as const

/** Files of leads and ledgers that are made in the background (worker/housekeeping/exports). */
export const EXPORTS = {
  /** exports that one worker makes at once, each of another account */
  atOnce: 2,
  /** time between two looks for a further export while one is made */
  lookEveryMs: 1000,
  /** pause after each page of rows, in multiples of the time it took */
  restTimes: 1,
  /** leads that are counted together */
  countedTogether: 5000,
  /** time between two notes of the progress */
  progressMs: 1000,
  /** a worker that notes no progress for this long has died */
  leaseSeconds: 30,
  /** time until an export is tried again */
  againSeconds: 30,
  /** tries without a file after which it fails */
  mostTries: 5,
} as const

/** Certifications of endpoints (worker/housekeeping/certifications/certify-endpoints.ts). */
export const CERTIFICATIONS = {
  /** runs that one worker makes at once, each for another host */
  atOnce: 2,
  /** time between two looks for a further run while one is made, and between two extensions of its lease */
  lookEveryMs: 1000,
  /** longer than one request may take */
  leaseSeconds: 30,
  /** how long a run gives way to real leads before it is stopped */
  waitForLeadsMs: 60_000,
  /** time until a run is continued after a failure of ours */
  againSeconds: 5,
  /** tries after which it is stopped: its burst was then sent at most so often */
  mostTries: 3,
} as const

/** The planning of events (worker/pipeline/1-plan-deliveries.ts). */
export const PLANS = {
  /** jobs in flight in one process */
  atOnce: 200,
  /** jobs of bursts in flight in one process; they are planned in small batches, with rests */
  burstsAtOnce: 50,
  /** events that are planned together */
  batch: 200,
  /**
   * deliveries that are planned together: few events if they go to many webhooks, so that a client with few does not
   * wait for them
   */
  deliveries: 100,
  /**
   * limit for one client in a batch, except that its first lead is planned whole; with one delivery per lead, a small
   * part of a batch
   */
  deliveriesOfClient: 25,
  /** deliveries of bursts that are planned together; after this many, a single event finds the database free */
  burstPiece: 25,
  /** longest rest in milliseconds between two batches of a burst, however few of its deliveries may begin */
  longestRestMs: 1500,
  /** milliseconds that events planned together wait for a lock: longer than an ordinary commit takes */
  patienceMs: 250,
  /**
   * the same limit while some rows are known to be locked: it is unknown whose rows they are, and which other events
   * need them
   */
  patienceMeanwhileMs: 25,
  /** number of events that wait for a lock, and milliseconds for which that is remembered after the last try */
  heldUpKept: 10_000,
  heldUpMs: 15_000,
  /** number of waits for a lock among one client's events, before the rest is put off to the next try */
  waitsOfHeldUp: 3,
} as const

/** limit-low-priority.ts: how many deliveries of low priority may be planned and begin while first attempts wait for us. */
export const LOW_PRIORITY = {
  /** beginnings in a second; claim batches at their pace make no more */
  mostPerSecond: 5000,
  /**
   * beginnings in a second of all workers, before anything is known: workers with cold code can do no more beside other
   * work
   */
  startPerSecond: 100,
  /** beginnings in a second of all workers, also while others wait */
  leastPerSecond: 50,
  /**
   * beginnings in one claim batch, or a second's number divided by its pace: so few that a single lead finds process
   * and database free
   */
  atOnce: 8,
  /** the number grows only while at least this part of it is used */
  used: 1 / 2,
  /** milliseconds between two adjustments */
  adjustEveryMs: 200,
  /**
   * milliseconds that a first attempt waits for us, counted from its event. Above this, and above {@link timesTheBest}
   * of the best, low priority is held back. A distant database alone is no reason.
   */
  tolerableMs: 15,
  timesTheBest: 1.5,
  /** factor at each adjustment, by which the best is slowly forgotten: an hour-old best says little */
  forgetting: 1.0005,
  /** least number of first attempts to judge by, so that one pause of the process does not decide */
  fewestSamples: 5,
  /** milliseconds after which fewer are enough */
  judgeWithinMs: 1000,
  /** milliseconds: a delivery that waited longer than this did not wait for room */
  longAgoMs: 5000,
  /** milliseconds after which a client no longer counts as active, or as above its share */
  quietMs: 1000,
  /** clients above their share that are remembered in one process */
  kept: 10_000,
  shrink: 1 / 2,
  /** factor at each adjustment */
  grow: 1.1,
  /** factor at each adjustment while the number is below its start */
  growBack: 1.25,
} as const

/** slot-pool.ts: how many of a worker's slots a client may have, and how many requests an endpoint gets at a time. */
export const SHARE = {
  /**
   * a client may hold this many times the free slots beyond the reserve: the first client gets 2/3 of them, the next
   * 2/9, and so on. A client that has been alone for {@link activeMs} milliseconds gets all
   */
  greed: 2,
  activeMs: 10_000,
  /** the part of the slots that is kept for clients that hold none */
  reserve: 1 / 5,
  /** milliseconds; an exchange longer than this makes its endpoint slow, until one ends sooner */
  slowMs: 2000,
  /**
   * milliseconds: the limit of `slowMs` for an endpoint that has never answered; it delays the next such endpoint no
   * longer than this
   */
  doubtMs: 500,
  /**
   * the parts of the slots that all slow endpoints share, and that all new endpoints share
   * (docs/decisions/0010-who-holds-the-slots.md)
   */
  partOfSlow: 1 / 2,
  partOfNew: 1 / 4,
  /** up to this part; a client with a slow endpoint that holds nothing still gets one slot */
  mostOfSlow: 3 / 4,
  /** requests in flight to one endpoint that has never answered, and to all such endpoints of one client */
  newAtOnce: 2,
  newPerClient: 5,
  /** idle endpoints that are remembered in one process */
  kept: 10_000,
} as const

/** heavy-payloads.ts: payloads that occupy a worker's one thread for longer than other deliveries may wait. */
export const HEAVY = {
  /** characters; shorter payloads are not counted */
  free: 32 * 1024,
  /**
   * characters of heavy payloads in one worker: two of the longest, each of which takes about five milliseconds if
   * nothing is searched for
   */
  atOnce: 512 * 1024,
  /** characters of heavy payloads that all workers make in a second while another client is active */
  perSecond: 4 * 1024 * 1024,
  /** characters: after four seconds heavy payloads may begin again, however large the unexpected weight was */
  mostDebt: 16 * 1024 * 1024,
  /** milliseconds for which a client counts as active after it got a slot */
  activeMs: 1000,
  /** endpoints whose weight is remembered in one process */
  kept: 10_000,
} as const

/** worker/dispatch: how due deliveries are claimed. */
export const DISPATCH = {
  /** deliveries in a claim batch, few enough that the next batch is soon */
  most: 50,
  /**
   * limit of a claim batch while no other client is active: 50 at their pace are 5,000 a second, and two cores carry
   * more
   */
  mostInQuiet: 100,
  /** deliveries that a worker has claimed and not yet recorded, in multiples of its slots */
  mostOpen: 1.5,
  /**
   * up to this many deliveries planned together are sent by the worker that planned them; for more it wakes the others
   */
  aloneMost: 20,
  /** requests in flight in all workers together above which a client is above its share (limit-low-priority.ts) */
  share: 10,
  /**
   * lower limit of that share in one worker: a lead's deliveries to a few webhooks begin in the worker that planned
   * them
   */
  shareInOneWorker: 5,
  /** endpoints of one client that a claim batch asks for room; the next batch asks the next ones */
  looks: 8,
  /** milliseconds between two claim batches, so that deliveries gather; the first after a rest goes at once */
  paceMs: 10,
  /** milliseconds after which clients without room are asked again, even if no delivery has ended */
  againMs: 100,
  /** one claim in this many prefers low priority (retries, bursts), so that nothing waits for ever */
  lowPriorityEvery: 4,
  /** milliseconds between two polls of each worker for due deliveries */
  lookEveryMs: 1000,
  /** milliseconds: a retry due sooner than this begins on time; the poll finds others */
  timedMs: 60_000,
} as const
