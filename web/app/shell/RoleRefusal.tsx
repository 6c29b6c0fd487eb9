import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { settingsPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'

/** Says that the person's role in the account does not include this screen. */
export function RoleRefusal() {
  const hasLeft = useQuery(meQuery).data?.member_role === 'none'
  return (
    <Card flush>
      <EmptyState
        title="Your role does not include this"
        action={
          <Link to={settingsPath('team')} className={buttonClass('secondary')}>
            See your role
          </Link>
        }
      >
        {hasLeft
          ? 'You handed this account over and left it.'
          : 'An owner of the account can give you another role.'}
      </EmptyState>
    </Card>
  )
}
