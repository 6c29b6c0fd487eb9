import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/api/me.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { MyPlace } from './MyPlace.tsx'
import { TeamList } from './TeamList.tsx'

/** The people of the account, for those who manage them; all but a founder who owns it also see their own place. */
export function TeamPanel() {
  const me = useQuery(meQuery).data
  const mayManage = useMemberMay('members')
  if (me === undefined) return <CardSkeleton />
  return (
    <div className="flex flex-col gap-6">
      {(![undefined, me.user_id].includes(me.account_id) || me.member_role !== 'owner') && (
        <MyPlace me={me} />
      )}
      {mayManage === true && <TeamList me={me} />}
    </div>
  )
}
