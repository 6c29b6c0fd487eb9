import { randomUUID } from 'node:crypto'
import type { Db } from '#core/data/database.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { insertReplay } from '#core/data/webhooks/deliveries/replays.ts'
import {
  hurryPiece,
  resendPiece,
  type FailedSince,
  type ReplayPiece,
  type ReplayPlace,
} from '#core/data/webhooks/deliveries/replay-pieces.ts'

/** The result of one replay. `pieces`: number of deliveries in each of its transactions. */
export interface GivenReplay {
  id: string
  resent: DueDelivery[]
  hurried: DueDelivery[]
  pieces: number[]
}

/** Runs a replay as the server does. @param between runs after each chunk */
export async function givenReplay(
  db: Db,
  what: FailedSince,
  between: (id: string) => Promise<void> = () => Promise.resolve(),
): Promise<GivenReplay> {
  const id = randomUUID()
  await insertReplay(db, id, what)
  const inTransaction = <Result>(work: (trx: Db) => Promise<Result>): Promise<Result> =>
    db.isTransaction ? work(db) : db.transaction().execute(work)
  const made: GivenReplay = { id, resent: [], hurried: [], pieces: [] }
  const take = async (
    into: DueDelivery[],
    piece: (trx: Db, after: ReplayPlace | undefined) => Promise<ReplayPiece>,
  ): Promise<void> => {
    let after: ReplayPlace | undefined
    do {
      const { due, next } = await inTransaction((trx) => piece(trx, after))
      into.push(...due)
      made.pieces.push(due.length)
      after = next
      await between(id)
    } while (after !== undefined)
  }
  await take(made.resent, (trx, after) => resendPiece(trx, id, what, after))
  await take(made.hurried, (trx, after) => hurryPiece(trx, id, what, after))
  return made
}
