import { useQuery } from '@tanstack/react-query'
import { deadLetterSummaryQuery } from './operation-queries.ts'
import { Banner } from '../ui/show/Banner.tsx'

/** Jobs that the queue gave up: there should never be any, so nothing is shown while there are none. */
export function FailedJobs() {
  const { data } = useQuery(deadLetterSummaryQuery)
  if (data === undefined) return null
  if (data.failed_jobs === null) {
    return (
      <Banner tone="waiting" title="The queues cannot be read right now.">
        Redis does not answer. Leads are kept meanwhile and go on when it is back.
      </Banner>
    )
  }
  const failed = data.failed_jobs.filter(({ count }) => count > 0)
  if (failed.length === 0) return null
  return (
    <Banner tone="failure" title="Some jobs were given up.">
      {failed.map(({ queue, count }) => `${count.toLocaleString('en-US')} on ${queue}`).join(', ')}. The queue
      dashboard shows why; their deliveries are enqueued again by themselves.
    </Banner>
  )
}
