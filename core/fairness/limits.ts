/**
 * Every number of the brakes on fairness; README.md beside this file says which brake uses it, when and against whom. Those
 * that come from a measurement name it. What an installation may want different is configuration: WEBHOOK_CONCURRENCY and
 * WEBHOOK_ENDPOINT_CONCURRENCY.
 */

/** priorities.ts: how much somebody may bring before his excess stands behind the others. */
export const PRIORITY = {
  /** events; a lead brings two (docs/decisions/0011-who-gives-way.md) */
  atOnce: 100,
  /** events a second: 300 leads, more than any source brings for long */
  perSecond: 600,
  /** events of a burst in one round: after each, everybody else who bursts has his */
  round: 100,
  /** senders remembered in one process; whoever is forgotten begins with a full measure */
  kept: 10_000,
} as const

/** fan-out.ts: how many deliveries of a client's leads go at once beside the first of each. */
export const FAN_OUT = {
  /** deliveries of one lead, the first among them; who has more webhooks waits behind himself with the rest */
  ofLead: 25,
  /** deliveries, planned by all workers */
  atOnce: 50,
  /** deliveries a second, planned by all workers: as many as always may begin of what gives way */
  perSecond: 50,
  /** clients remembered in one process; whoever is forgotten begins with a full measure */
  kept: 10_000,
} as const

/** core/pace/slices.ts: what may be long to make, payloads, settings, conditions and answers. */
export const SLICES = {
  /** milliseconds of a turn of the event loop, and so what others wait for */
  mostMs: 2,
} as const

/** worker/housekeeping/imports: rows of files, which nobody waits for. */
export const IMPORTS = {
  /** rows that are stored together */
  piece: 50,
  /** rest for each time that a piece took */
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

/** limit-low-priority.ts: how many retries and deliveries of bursts may be planned and begin while first attempts wait for us. */
export const LOW_PRIORITY = {
  /** beginnings in a second; rounds at their pace make no more */
  mostPerSecond: 5000,
  /** beginnings in a second of all workers, where nothing is known yet: workers whose code is cold can do no more beside others */
  startPerSecond: 100,
  /** beginnings in a second of all workers, whoever needs room */
  leastPerSecond: 50,
  /** beginnings in one round, or what its pace makes of a second's: a single lead finds the process and the database free after so few */
  atOnce: 8,
  /** the part of what may begin that has to begin; what nobody makes use of says nothing about what is possible */
  used: 1 / 2,
  /** milliseconds between two looks at what first attempts waited for */
  adjustEveryMs: 200,
  /**
   * milliseconds of our own share in a first attempt, from its event on: past this, and past {@link timesTheBest} of what it is at
   * its best, whoever gives way has to. A database at some distance is no reason by itself.
   */
  tolerableMs: 15,
  timesTheBest: 1.5,
  /** at each look: the best is forgotten slowly, what was possible an hour ago says little */
  forgetting: 1.0005,
  /** first attempts to judge by; one pause of the process says nothing about the rest */
  fewestSamples: 5,
  /** milliseconds after which those are enough that there are */
  judgeWithinMs: 1000,
  /** milliseconds: what waited for so long to be planned, or after that, did not wait for room */
  longAgoMs: 5000,
  /** milliseconds: who has not been seen for so long needs no room; and who gave way last so long ago is like anybody */
  quietMs: 1000,
  /** clients who give way that are remembered in one process */
  kept: 10_000,
  shrink: 1 / 2,
  /** at each look */
  grow: 1.1,
  /** the same while it is less than at the start */
  growBack: 1.25,
} as const

/** slot-share.ts: who may have how many of a worker's slots, and how many requests an endpoint gets at a time. */
export const SHARE = {
  /**
   * of what is free beyond the reserve, a client may hold so many times as much: 2/3 of it, who comes next 2/9, …; one who has
   * been alone for {@link aboutMs} milliseconds, all of it
   */
  greed: 2,
  aboutMs: 10_000,
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
  aboutMs: 1000,
  /** endpoints whose weight is remembered in one process */
  kept: 10_000,
} as const

/** waiting-clients.ts, and worker/dispatch: how what is due is claimed for those who have room. */
export const DISPATCH = {
  /** deliveries claimed together; who comes next waits for little */
  most: 50,
  /** the same while there is nobody to give way to: 50 at their pace are 5,000 a second, and two cores carry more */
  mostInQuiet: 100,
  /** deliveries that a worker has claimed and not yet recorded, for each slot */
  mostOpen: 1.5,
  /** deliveries planned together that the worker that planned them keeps to itself; of more it tells the others */
  aloneMost: 20,
  /** a client with so many in flight in all workers together gives way to those with fewer, whatever he sends (limit-low-priority.ts) */
  modest: 10,
  /** the same in one worker at least: a lead's deliveries to a few webhooks begin in the worker that planned them */
  modestInOne: 5,
  /** of so many of one client's endpoints a round asks for room; the next round asks the next ones */
  looks: 8,
  /** milliseconds between the beginnings of two rounds, so that they gather; the first after a rest goes at once */
  paceMs: 10,
  /** milliseconds after which somebody who found no room is looked at again, though nothing of anybody's has ended */
  againMs: 100,
  /** of so many asks at one endpoint one prefers what gives way to first attempts (retries, the excess of bursts) */
  yieldingEvery: 4,
  /** milliseconds between two looks at what is due in the database, whoever rang for it; each worker's own */
  lookEveryMs: 1000,
  /** milliseconds; a retry that is due sooner is begun on time, others are found by the next look */
  timedMs: 60_000,
} as const
