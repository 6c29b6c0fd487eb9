import { useQuery } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import { Link, useParams } from 'react-router-dom'
import { isNotFound } from '#web/api/errors.ts'
import { Logo } from '#web/app/Logo.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { PATHS } from '#web/paths.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { postingSpecQuery } from './posting-spec-query.ts'
import { PostingSpecification } from './PostingSpecification.tsx'

/** Shows how to post leads to a source. Anyone with the link can read it, without an account. */
export function PostingSpecPage() {
  const { token = '' } = useParams()
  const spec = useQuery(postingSpecQuery(token))
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-4xl flex-col gap-6 px-4 py-8">
      <title>Posting specification · Leadwire</title>
      <Link to={PATHS.home} className="inline-block self-start rounded-md">
        <Logo />
      </Link>
      {spec.data !== undefined ? (
        <PostingSpecification spec={spec.data} token={token} />
      ) : isNotFound(spec.error) ? (
        <Card>
          <EmptyState icon={<Unlink aria-hidden />} title="This link is not valid any more">
            It has expired or was replaced. Ask the sender for a new one.
          </EmptyState>
        </Card>
      ) : spec.isError ? (
        <LoadFailure
          title="The specification could not be loaded."
          error={spec.error}
          onRetry={() => void spec.refetch()}
        />
      ) : (
        <CardSkeleton />
      )}
    </main>
  )
}
