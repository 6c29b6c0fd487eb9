import { sql } from 'kysely'
import type { ClientAccountChange } from '#core/contract/market/client-account.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { Db } from '#core/data/database.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { changeClientAccount, lockClientAccount } from '#core/data/market/client-accounts.ts'
import { checkAutoRecharge, normaliseAccount } from '#core/domain/market/check-account.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { answerVersionConflict } from '../http/answer-version-conflict.ts'
import type { Answer } from '../http/route.ts'
import { noAccount } from './show-account.ts'

/** Changes the caller's own account, unless it has been changed since the version that he saw. */
export async function changeAccount(
  { db }: Pick<ServerContext, 'db'>,
  userId: string,
  { version, ...wished }: ClientAccountChange,
): Promise<Answer> {
  const normalised = normaliseAccount(wished)
  if (!normalised.ok) throw refuse(normalised.errors)
  const { notices, ...change } = normalised.change
  if (change.timezone !== undefined && !(await isZoneKnown(db, change.timezone)))
    throw refuse([{ path: 'timezone', message: 'This time zone is not known here' }])
  return await db.transaction().execute(async (trx) => {
    const current = await lockClientAccount(trx, userId)
    if (current === undefined) throw noAccount()
    if (current.version !== version) return answerVersionConflict(current, normalised.change)
    const errors = checkAutoRecharge({ ...current, ...withoutUndefined(change) })
    if (errors.length > 0) throw refuse(errors)
    const account = await changeClientAccount(trx, userId, {
      ...withoutUndefined(change),
      ...(notices !== undefined && {
        notices: JSON.stringify({ ...current.notices, ...withoutUndefined(notices) }),
      }),
    })
    return { status: 200, json: account }
  })
}

/** PostgreSQL has a database of zones of its own, and counts days by it. */
async function isZoneKnown(db: Db, zone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${zone}::text as moment`.execute(db)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

function refuse(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', `The body has ${errors.length} fault(s).`, { errors })
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function withoutUndefined<T extends object>(given: T): Defined<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>
}
