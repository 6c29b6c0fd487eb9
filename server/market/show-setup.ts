import type { SetupProgress, SetupStep } from '#core/contract/market/client-setup.ts'
import { readSetup, readTestLeads, skipSetupStep } from '#core/data/market/client-setup.ts'
import type { ServerContext } from '../context.ts'
import { noAccount, showAccount } from './show-account.ts'

/** @throws AppError not_found for an account that buys nothing */
export async function showSetup(context: Pick<ServerContext, 'db'>, userId: string): Promise<SetupProgress> {
  await showAccount(context, userId)
  return await readProgress(context, userId)
}

/** @throws AppError not_found for an account that buys nothing */
export async function skipStep(
  context: Pick<ServerContext, 'db'>,
  userId: string,
  step: SetupStep,
): Promise<SetupProgress> {
  if (!(await skipSetupStep(context.db, userId, step))) throw noAccount()
  return await readProgress(context, userId)
}

async function readProgress({ db }: Pick<ServerContext, 'db'>, userId: string): Promise<SetupProgress> {
  const [setup, tests] = await Promise.all([readSetup(db, userId), readTestLeads(db, userId)])
  // The endpoint's tally, which counts every lead, is written a moment after the log.
  return { ...setup, ...tests, delivered: setup.delivered || tests.received_attempt_id !== null }
}
