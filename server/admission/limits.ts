/** Every number of the limits on what comes in at a server; core/fairness/README.md says which of them acts when and against whom. */

/** account-lines.ts: what an account may ask of a server before its further requests make each other wait. */
export const ACCOUNTS = {
  /** requests that are answered at the same time: a screen asks for some six */
  together: 4,
  /** requests that wait; past that they are refused */
  longestLine: 200,
  /** downloads that are made at the same time, and that wait */
  exportsTogether: 2,
  longestLineOfExports: 20,
  /** requests: two or three screens, one after the other */
  atOnce: 20,
  /** requests a second */
  perSecond: 20,
  /** characters of an answer that count as one more request */
  charactersOfOne: 64 * 1024,
  /** characters of answers that were made and that their reader has not taken, past which no more are made for him */
  mostUntaken: 32 * 1024 * 1024,
  /** milliseconds of a request, each of which counts as one more: nothing of an ordinary screen takes so long */
  millisecondsOfOne: 25,
  /** requests: soon more than two seconds after the last of many, or after the longest answer, some are in measure again */
  mostDebt: 40,
  /** rest for each time that a request took, past the measure */
  restTimes: 10,
  /** milliseconds; past that, as long as the request took */
  longestRestMs: 2000,
  leastRestTimes: 1,
  /** accounts remembered in one process; whoever is forgotten begins with a full measure */
  kept: 10_000,
} as const

/** source-lines.ts: leads that a source posts one by one while another source is about. */
export const SOURCES = {
  /** leads, and leads a second, that come as they come: as many events as turns.ts has in measure */
  atOnce: 50,
  perSecond: 300,
  /** leads: a second after the last of many, some are in measure again */
  mostDebt: 0,
  /** sources remembered in one process; whoever is forgotten begins with a full measure */
  kept: 10_000,
  /** of the others, that are stored at the same time */
  together: 3,
  /** that wait; past that they are refused, and posted again */
  longestLine: 500,
  /** milliseconds for which a source that brought a lead is still about */
  aboutMs: 1000,
} as const

/** giving-pace.ts: how long batches rest between two of their pieces. */
export const GIVING_PACE = {
  /** milliseconds for which somebody who was seen is still about */
  aboutMs: 1000,
  /** rest for each time that a piece took (docs/decisions/0011-who-gives-way.md) */
  restTimes: 5,
} as const

/** batch-turns.ts: batches of leads that are posted to the API. */
export const BATCHES = {
  /** leads; few enough to read and store in a moment: meanwhile nobody else's lead is read */
  piece: 25,
  /** batches that wait with one piece each; who came behind so many would wait for too long */
  longestLine: 100,
  /** milliseconds; whoever posts a batch waits for all its pieces */
  longestRestMs: 250,
} as const

/** body-lines.ts: bodies that take so long to parse that everybody else notices. */
export const BODIES = {
  /** bytes; what is no longer is read as it comes */
  small: 64 * 1024,
  /** of a caller, that wait behind another of his; past that they are refused before they are received */
  longestLine: 4,
  /** bytes of all that were received and wait, of which each may have 5 MiB */
  mostHeld: 128 * 1024 * 1024,
  /** bytes of one caller that are on their way or wait for their answer */
  mostOfCaller: 64 * 1024 * 1024,
  /** and of all: past that, whoever has more than his share of it is refused */
  mostOfAll: 256 * 1024 * 1024,
  /** rest for each time that one took, so that of a hundred single leads three come while one is read */
  restTimes: 40,
  /** milliseconds */
  longestRestMs: 2000,
} as const
