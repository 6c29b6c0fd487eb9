import type { AttemptTiming as Timing } from '#core/contract/webhooks/delivery.ts'
import { formatDuration } from '#web/components/webhook-log-cells.ts'
import { SummaryItem } from '../logs/SummaryItem.tsx'

export interface AttemptTimingProps {
  timing: Timing
  remoteAddress: string | null
}

export function AttemptTiming({ timing, remoteAddress }: AttemptTimingProps) {
  const { connect_ms, headers_ms, total_ms } = timing
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-4 tabular md:grid-cols-4">
      <SummaryItem label="Connected after">
        {connect_ms === null ? <span className="text-muted">Not measured</span> : formatDuration(connect_ms)}
      </SummaryItem>
      <SummaryItem label="Response began after">
        {headers_ms === null ? <span className="text-muted">No response</span> : formatDuration(headers_ms)}
      </SummaryItem>
      <SummaryItem label="Total">{formatDuration(total_ms)}</SummaryItem>
      <SummaryItem label="Remote address">
        <span className="font-mono text-xs break-all">{remoteAddress ?? 'None'}</span>
      </SummaryItem>
    </dl>
  )
}
