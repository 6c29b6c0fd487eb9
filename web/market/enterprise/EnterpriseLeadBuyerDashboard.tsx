import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { nameZone } from '#web/format/name-zone.ts'
import { newWebhookPath, PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { AgentsPanel } from './AgentsPanel.tsx'
import { EnterpriseFigures } from './EnterpriseFigures.tsx'
import { EnterpriseFilterBar } from './EnterpriseFilterBar.tsx'
import { deliveryReportQuery } from './enterprise-queries.ts'
import { ExceptionPanel, QUEUE_HASH } from './ExceptionPanel.tsx'
import { PacePanel } from './PacePanel.tsx'
import { PerformancePanel } from './PerformancePanel.tsx'
import { useEnterpriseView } from './use-enterprise-view.ts'

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

/**
 * Shows many endpoints, orders and states side by side (docs/product.md §2). Each panel loads and fails by
 * itself.
 */
export function EnterpriseLeadBuyerDashboard() {
  const { view, asked, change, isNarrowed } = useEnterpriseView()
  const report = useQuery(deliveryReportQuery(asked))
  const [seesOrders, seesWebhooks] = [useMemberMay('orders') === true, useMemberMay('webhooks') === true]
  const shown = report.data
  const queueOf = (narrowed: Partial<typeof asked>) => {
    const given = Object.entries({ ...view, ...narrowed }).filter(
      ([name, value]) => value !== '' && !(name === 'group' && value === 'webhook'),
    )
    return `${PATHS.enterpriseDashboard}?${new URLSearchParams(given)}${QUEUE_HASH}`
  }
  const retry = report.isError ? () => void report.refetch() : undefined
  const isNew =
    shown !== undefined && shown.webhooks.length === 0 && view.webhook === '' && shown.all.leads === 0
  return (
    <div className="flex flex-col gap-6">
      <title>Enterprise dashboard · Leadwire</title>
      <PageHeader
        title="Enterprise dashboard"
        description={
          shown === undefined ? (
            // Has the height of the text that replaces it, so that nothing below moves.
            <span className="flex h-6 items-center">
              {!report.isError && <Skeleton className="h-3 w-52" />}
            </span>
          ) : (
            `${DAY.format(new Date(shown.from))} to ${DAY.format(new Date(shown.to))}, ${nameZone(shown.timezone)}`
          )
        }
        actions={<CopyButton labelled label="Copy link to this view" value={location.href} />}
      />
      <EnterpriseFilterBar view={view} shown={shown} isNarrowed={isNarrowed} onChange={change} />
      {isNew ? (
        <Card flush>
          <EmptyState
            icon={<Webhook aria-hidden />}
            title="No endpoints yet"
            action={
              seesWebhooks && (
                <Link to={newWebhookPath()} className={buttonClass('primary')}>
                  Create a webhook
                </Link>
              )
            }
          >
            Once leads are sent to your endpoints, their results appear here.
          </EmptyState>
        </Card>
      ) : (
        <>
          <EnterpriseFigures view={view} shown={shown} queuePath={queueOf({})} onRetry={retry} />
          {shown !== undefined ? (
            <PerformancePanel
              shown={shown}
              view={view}
              isOld={report.isPlaceholderData}
              onChange={change}
              queueOf={queueOf}
            />
          ) : retry === undefined ? (
            <Skeleton className="h-80 w-full" />
          ) : (
            <LoadFailure title="The figures could not be loaded." error={report.error} onRetry={retry} />
          )}
        </>
      )}
      {shown !== undefined && <AgentsPanel from={shown.from} to={shown.to} />}
      {seesOrders && <PacePanel />}
      {!isNew && seesWebhooks && <ExceptionPanel asked={asked} />}
    </div>
  )
}
