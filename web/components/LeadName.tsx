import clsx from 'clsx'
import { Link, type LinkProps } from 'react-router-dom'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { DoNotContact } from './DoNotContact.tsx'

export interface LeadNameProps {
  lead: LeadSummary
  to: LinkProps['to']
  /** true where nothing else says that the person may not be contacted */
  marksRevoked?: boolean
}

/** The lead's name as a link to it, whether it is read, and whether it is a test. */
export function LeadName({ lead, to, marksRevoked = false }: LeadNameProps) {
  return (
    <>
      <Link
        to={to}
        className={clsx(
          // The hidden word follows the name and must be truncated with it, or it widens what it is in.
          'relative truncate rounded-sm py-0.5 hover:underline',
          lead.unread && 'font-semibold',
        )}
      >
        {lead.name ?? 'Unknown'}
        {lead.unread && <span className="sr-only"> (unread)</span>}
      </Link>
      {lead.is_test && <Badge>Test</Badge>}
      {marksRevoked && <DoNotContact lead={lead} />}
    </>
  )
}
