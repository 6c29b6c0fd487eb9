import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/api/me.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { EmailForm } from './EmailForm.tsx'
import { NameForm } from './NameForm.tsx'

export function ProfilePanel() {
  const me = useQuery(meQuery)
  if (me.data === undefined) {
    return me.isError ? (
      <LoadFailure
        title="Your profile could not be loaded."
        error={me.error}
        onRetry={() => void me.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Card title="Name">
        <NameForm name={me.data.name} />
      </Card>
      <Card title="Email">
        <EmailForm />
      </Card>
    </div>
  )
}
