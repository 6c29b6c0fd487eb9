import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Link } from 'react-router-dom'
import { meQuery } from '../api/me.ts'
import { PATHS } from '../paths.ts'
import { buttonClass } from '../ui/action/button-class.ts'
import { EmptyState } from '../ui/show/EmptyState.tsx'

/** Shown in place of an empty list of leads, with the next step to get some. */
export function NoLeadsYet() {
  const me = useQuery(meQuery)
  const isAdmin = me.data?.role === 'admin'
  return (
    <EmptyState
      icon={<Inbox aria-hidden />}
      title="No leads yet"
      action={
        <Link to={isAdmin ? PATHS.admin : PATHS.clientIntegrations} className={buttonClass('secondary')}>
          {isAdmin ? 'Open Admin' : 'Run an assignment test'}
        </Link>
      }
    >
      {isAdmin
        ? 'You are signed in as an administrator, who buys no leads. You manage clients, orders and sources in Admin.'
        : me.data?.member_role === 'agent'
          ? 'Leads of your own orders appear here, and leads that an owner or a manager gives you.'
          : 'Fund your account and activate an order to start receiving leads. To see one now, run an assignment test from Integrations.'}
    </EmptyState>
  )
}
