import { ArrowLeft, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { LaterCertifyDialog } from '../certification/LaterCertifyDialog.tsx'
import { certificationGradesQuery } from '../queries/certification-grades.ts'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { useToggleWebhook, webhookConfigsQuery } from '../queries/webhook-configs.ts'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { errorSentence } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { AbsentLogs } from '../logs/AbsentLogs.tsx'
import { AddWebhook } from './AddWebhook.tsx'
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx'
import { LaterWebhookDialog } from '../dialog/LaterWebhookDialog.tsx'
import { DeliveryLogsDialog } from '../logs/DeliveryLogsDialog.tsx'
import { SwitchOnDialog } from '../health/SwitchOnDialog.tsx'
import { useIntegrationsView } from '../use-integrations-view.ts'
import { useTestAction } from '../queries/use-test-action.ts'
import { WebhookTable } from './WebhookTable.tsx'

type OpenDialog = { open: boolean; target: WebhookConfig | null } & (
  | { kind: 'form' | 'delete' | 'certify' }
  | { kind: 'switch-on'; health: EndpointHealth; isTested: boolean }
)
const NONE: OpenDialog = { kind: 'form', open: false, target: null }

export function ConfigureWebhooks() {
  const { go, wantsNew, logsOf } = useIntegrationsView()
  const configs = useQuery(webhookConfigsQuery)
  const isAbsent = logsOf !== null && configs.data?.every(({ id }) => id !== logsOf) === true
  const [dialog, setDialog] = useState<OpenDialog>(NONE)
  const close = () => {
    if (wantsNew) go({ new: null }, { replace: true })
    setDialog((current) => ({ ...current, open: false }))
  }
  const add = () => setDialog({ kind: 'form', open: true, target: null })

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button
          variant="quiet"
          className="-ml-4"
          icon={<ArrowLeft aria-hidden className="size-4" />}
          onClick={() => go({ view: null, logs: null, attempt: null })}
        >
          Back to Overview
        </Button>
        <AddWebhook count={configs.data?.length} onAdd={add} />
      </div>
      {isAbsent && <AbsentLogs />}
      <WebhookList configs={configs} onAdd={add} onOpen={setDialog} />
      <LaterWebhookDialog
        open={wantsNew || (dialog.open && dialog.kind === 'form')}
        target={wantsNew ? null : dialog.target}
        onClose={close}
      />
      <DeleteWebhookDialog
        open={dialog.open && dialog.kind === 'delete'}
        target={dialog.target}
        onClose={close}
      />
      <LaterCertifyDialog
        open={dialog.open && dialog.kind === 'certify'}
        target={dialog.target}
        onClose={close}
      />
      <DeliveryLogsDialog configs={configs.data} />
      <SwitchOnDialog
        open={dialog.open && dialog.kind === 'switch-on'}
        health={dialog.kind === 'switch-on' ? dialog.health : null}
        isTested={dialog.kind === 'switch-on' && dialog.isTested}
        onClose={close}
      />
    </div>
  )
}

interface WebhookListProps {
  configs: UseQueryResult<WebhookConfig[]>
  onAdd: () => void
  onOpen: (dialog: OpenDialog) => void
}

function WebhookList({ configs, onAdd, onOpen }: WebhookListProps) {
  const { go } = useIntegrationsView()
  const queryClient = useQueryClient()
  const health = useQuery(endpointHealthQuery)
  const grades = useQuery(certificationGradesQuery)
  const { busyIds, runTest, toggle } = useRowActions(async (target, isTested) => {
    const known = await queryClient.query({ ...endpointHealthQuery, staleTime: 0 })
    const one = known.find(({ webhook_config_id }) => webhook_config_id === target.id)
    if (one === undefined) return false
    // A webhook that the system switched off, or that has waiting deliveries, is switched on only through the
    // dialog.
    if (one.standing !== 'switched_off' && (isTested || one.waiting === 0)) return false
    onOpen({ kind: 'switch-on', open: true, target, health: one, isTested })
    return true
  })

  if (configs.isPending) {
    return (
      <Card>
        <div className="flex justify-center py-16">
          <Spinner label="Loading webhooks" />
        </div>
      </Card>
    )
  }
  if (configs.isLoadingError) {
    return (
      <LoadFailure
        title="Your webhooks could not be loaded."
        error={configs.error}
        onRetry={() => void configs.refetch()}
      />
    )
  }
  if (configs.data.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={<Webhook aria-hidden />}
          title="No webhooks configured"
          action={
            <Button variant="primary" onClick={onAdd}>
              Create Your First Webhook
            </Button>
          }
        >
          A webhook sends every lead to an address of yours as soon as it is received or assigned.
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card flush>
      <WebhookTable
        configs={configs.data}
        health={health.data}
        grades={grades.data}
        busyIds={busyIds}
        onEdit={(target) => onOpen({ kind: 'form', open: true, target })}
        onDelete={(target) => onOpen({ kind: 'delete', open: true, target })}
        onViewLogs={(target) => go({ logs: target.id, attempt: null })}
        onTest={runTest}
        onCertify={(target) => onOpen({ kind: 'certify', open: true, target })}
        onToggle={toggle}
      />
    </Card>
  )
}

/**
 * The row's own actions: test and switch. Several rows may be busy at once.
 * @param offerSwitchOn opens the switch-on dialog if the client has something to choose; returns true if it opened
 */
function useRowActions(offerSwitchOn: (config: WebhookConfig, isTested: boolean) => Promise<boolean>) {
  const test = useTestAction()
  const change = useToggleWebhook()
  const [busyIds, setBusyIds] = useState<ReadonlySet<string>>(new Set())
  const begin = (id: string) => setBusyIds((ids) => new Set(ids).add(id))
  const end = (id: string) => setBusyIds((ids) => new Set([...ids].filter((one) => one !== id)))

  const runTest = async (config: WebhookConfig) => {
    const { id } = config
    begin(id)
    const isGood = await test.run(id)
    // The test's result is already shown; the offer to switch on is optional.
    if (isGood && !config.is_active) await offerSwitchOn(config, true).catch(() => false)
    end(id)
  }
  const toggle = async (config: WebhookConfig) => {
    const { id, is_active } = config
    begin(id)
    await change.show({ id, is_active: !is_active })
    try {
      if (!is_active && (await offerSwitchOn(config, false))) {
        await change.show({ id, is_active })
        return
      }
      await change.mutateAsync({ id, is_active: !is_active })
      toast.success('Webhook status updated successfully')
    } catch (error) {
      await change.show({ id, is_active })
      toast.error('Failed to update webhook status', errorSentence(error))
    } finally {
      end(id)
    }
  }
  return {
    busyIds,
    runTest: (config: WebhookConfig) => void runTest(config),
    toggle: (config: WebhookConfig) => void toggle(config),
  }
}
