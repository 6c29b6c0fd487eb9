import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { settingsPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'

/** Says that the person's role in the account does not include this screen. */
export function RoleRefusal() {
  const hasLeft = useQuery(meQuery).data?.member_role === 'none'
  return (
    <>
      <title>Your role does not include this · Leadwire</title>
      <PageHeader
        title="Your role does not include this"
        description={
          hasLeft
            ? 'You handed this account over and left it.'
            : 'An owner of the account can give you another role.'
        }
        actions={
          <Link to={settingsPath('team')} className={buttonClass('secondary')}>
            See your role
          </Link>
        }
      />
    </>
  )
}
