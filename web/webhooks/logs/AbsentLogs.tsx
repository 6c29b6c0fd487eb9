import { useQuery } from '@tanstack/react-query'
import { Button } from '#web/ui/action/Button.tsx'
import { Banner } from '#web/ui/show/Banner.tsx'
import { webhookConfigsQuery } from '../queries/webhook-configs.ts'
import { useIntegrationsView } from '../use-integrations-view.ts'

/** Shown if the address names a configuration that does not exist, or never did for this client. */
export function AbsentLogs() {
  const { closeLogs } = useIntegrationsView()
  // The cached list may be older than the link.
  const { isFetchedAfterMount, isSuccess } = useQuery({ ...webhookConfigsQuery, staleTime: 0 })
  if (!isFetchedAfterMount || !isSuccess) return null
  return (
    <Banner
      tone="waiting"
      title="These delivery logs cannot be shown"
      action={
        <Button size="sm" onClick={closeLogs}>
          Dismiss
        </Button>
      }
    >
      Their webhook was deleted, or belongs to another account. The timelines of its leads still show what was
      sent to a deleted one.
    </Banner>
  )
}
