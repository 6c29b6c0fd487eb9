import { CircleCheck, CircleSlash, Clock } from 'lucide-react'
import { useState } from 'react'
import { describeFit, type FitsAsked } from './describe-fit.ts'

const ICONS = {
  sent: { Icon: CircleCheck, tone: 'text-success' },
  waits: { Icon: Clock, tone: 'text-waiting' },
  skipped: { Icon: CircleSlash, tone: 'text-muted' },
  unknown: { Icon: Clock, tone: 'text-muted' },
}

export interface FitNoteProps {
  fits: FitsAsked
  /** fields whose conditions the lead does not match; null until known */
  unmet: readonly string[] | null
}

/** Says if the preview's lead would be sent, unless every lead always is. */
export function FitNote({ fits, unmet }: FitNoteProps) {
  const [openedAt] = useState(() => new Date())
  const said = describeFit(fits, unmet, openedAt)
  const { Icon, tone } = ICONS[said?.kind ?? 'unknown']
  return (
    <div role="status">
      {said !== null && (
        <p className="flex items-start gap-1.5 text-xs text-muted">
          <Icon aria-hidden className={`mt-px size-3.5 shrink-0 ${tone}`} />
          <span className="min-w-0 break-words">{said.text}</span>
        </p>
      )}
    </div>
  )
}
