import type { AgentFigures, AgentsQuery } from '#core/contract/market/agent-figures.ts'
import { tallyByAgent } from '#core/data/market/figures/agent-figures.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../../identity/find-live-session.ts'
import type { ServerContext } from '../../context.ts'
import { readPeriod } from './read-period.ts'
import { returnOnSpend } from './return-on-spend.ts'

/** The leads of a period by person. @throws AppError forbidden for an agent, who sees no other person's figures */
export async function showAgents(
  { db }: Pick<ServerContext, 'db'>,
  caller: Pick<Principal, 'user_id' | 'member_user_id'>,
  { days, from: first, to: last }: AgentsQuery,
): Promise<AgentFigures> {
  if (caller.member_user_id !== undefined)
    throw new AppError('forbidden', 'An agent sees no figures of other people.')
  const { zone, from, to, begins, ends } = await readPeriod(db, caller, { days, from: first, to: last })
  const rows = await tallyByAgent(db, { client: caller.user_id, begins, ends })
  return {
    timezone: zone,
    from,
    to,
    data: rows.map((row) => ({ ...row, return_on_spend: returnOnSpend(row) })),
  }
}
