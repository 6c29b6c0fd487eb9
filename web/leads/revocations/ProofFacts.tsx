import type { OwnRevocation } from '#core/contract/leads/revocation.ts'
import { ExactTime } from '../../ui/show/ExactTime.tsx'
import { Facts } from '../lead-page/Facts.tsx'
import { REPORTER_WORDS, sayDay } from './say-countdown.ts'

export type ProofFactsProps = {
  revocation: Pick<OwnRevocation, 'id' | 'reported_by' | 'revoked_at' | 'due_on'> & {
    /** the source or client by its name, where the reader may know it */
    reporter?: string | undefined
    reason?: string | null
  }
}

/** The facts of a revocation that stay true: its id, its time, its deadline. */
export function ProofFacts({ revocation }: ProofFactsProps) {
  const { id, reported_by: by, reporter, revoked_at: at, due_on: due, reason } = revocation
  return (
    <Facts
      none="Nothing is known."
      facts={[
        { label: 'Id', value: <span className="font-mono text-xs break-all">{id}</span>, copy: id },
        { label: 'Reported by', value: reporter ?? REPORTER_WORDS[by] },
        { label: 'In force since', value: at === null ? null : <ExactTime at={at} /> },
        {
          label: 'Acknowledge until',
          value: due === null ? null : `${sayDay(due)}, ten business days (federal holidays left out)`,
        },
        { label: 'Reason', value: reason ?? null },
      ]}
    />
  )
}
