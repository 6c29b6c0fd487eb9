import type { SetupProgress, SetupStep } from '#core/contract/market/client-setup.ts'
import { readSetup, readTestLeads, skipSetupStep } from '#core/data/market/client-setup.ts'
import type { ServerContext } from '../../context.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import { noAccount, showAccount } from '../show-account.ts'

type Caller = Pick<Principal, 'user_id' | 'member_user_id'>

/** @throws AppError not_found for an account that buys nothing */
export async function showSetup(context: Pick<ServerContext, 'db'>, caller: Caller): Promise<SetupProgress> {
  await showAccount(context, caller.user_id)
  return await readProgress(context, caller)
}

/** @throws AppError not_found for an account that buys nothing */
export async function skipStep(
  context: Pick<ServerContext, 'db'>,
  caller: Caller,
  step: SetupStep,
): Promise<SetupProgress> {
  if (!(await skipSetupStep(context.db, caller.user_id, step))) throw noAccount()
  return await readProgress(context, caller)
}

async function readProgress({ db }: Pick<ServerContext, 'db'>, caller: Caller): Promise<SetupProgress> {
  const [setup, tests] = await Promise.all([readSetup(db, caller.user_id), readTestLeads(db, caller)])
  // The endpoint's tally, which counts every lead, is written a moment after the log.
  return { ...setup, ...tests, delivered: setup.delivered || tests.received_attempt_id !== null }
}
