import { useState } from 'react'
import type { EndpointHealth, SwitchOn } from '#core/contract/webhooks/endpoint-health.ts'
import { OFFERED_DAYS } from '#core/contract/webhooks/delivery.ts'
import { useSwitchOn } from '../queries/endpoint-health.ts'
import { countWaiting } from './endpoint-health-words.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Dialog, DialogClose } from '#web/ui/overlay/Dialog.tsx'
import { RadioGroup } from '#web/ui/form/RadioGroup.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

export interface SwitchOnDialogProps {
  open: boolean
  /** Stays set while the dialog closes. */
  health: EndpointHealth | null
  /** True if the endpoint has just passed a test. */
  isTested?: boolean
  onClose: () => void
}

/** Asks what to do with waiting deliveries, tests the endpoint and switches the webhook on. */
export function SwitchOnDialog({ open, health, isTested = false, onClose }: SwitchOnDialogProps) {
  const [waiting, setWaiting] = useState<SwitchOn['waiting']>('send')
  const switchOn = useSwitchOn()
  const close = () => {
    onClose()
    switchOn.reset()
    setWaiting('send')
  }
  const run = (test_first: boolean) => {
    if (health === null) return
    switchOn.mutate(
      { id: health.webhook_config_id, waiting, test_first },
      {
        onSuccess: ({ is_active }) => {
          if (!is_active) return
          toast.success('Webhook status updated successfully')
          close()
        },
        onError: () => toast.error('Failed to update webhook status'),
      },
    )
  }
  const isTesting = switchOn.isPending && switchOn.variables.test_first
  const failure = switchOn.data?.test?.success === false ? switchOn.data.test.message : undefined
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close()
      }}
      title={`Switch on “${health?.webhook_name ?? ''}”`}
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <Button
            variant={isTested ? 'primary' : 'secondary'}
            busy={switchOn.isPending && !isTesting}
            onClick={() => run(false)}
          >
            {isTested ? 'Switch on' : 'Switch on without a test'}
          </Button>
          {!isTested && (
            <Button variant="primary" busy={isTesting} onClick={() => run(true)}>
              {isTesting ? 'Testing...' : 'Test and switch on'}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {isTested && <Banner tone="success" title="The test succeeded" />}
        {failure !== undefined && (
          <Banner tone="failure" urgent title="The test failed, so the webhook is still off">
            {failure}
          </Banner>
        )}
        {health !== null && <WhyOff health={health} />}
        {health !== null && health.waiting > 0 && (
          <RadioGroup
            label="Deliveries that wait"
            value={waiting}
            onValueChange={setWaiting}
            options={[
              { value: 'send', label: `Send ${count(health)} now` },
              ...(health.offered > 0
                ? [
                    {
                      value: 'keep' as const,
                      label: 'Decide later',
                      hint: `Deliveries that came while it was off stay held for ${OFFERED_DAYS} days. Attempts planned before continue.`,
                    },
                  ]
                : []),
              {
                value: 'discard',
                label: `Discard ${count(health)}`,
                hint: 'They are not sent to this webhook any more. The leads themselves stay.',
              },
            ]}
          />
        )}
      </div>
    </Dialog>
  )
}

/** Returns for example "12 waiting deliveries". */
function count(health: EndpointHealth) {
  return countWaiting(health).replace(' ', ' waiting ')
}

function WhyOff({ health }: { health: EndpointHealth }) {
  if (health.disabled_reason === null)
    return <p className="text-sm text-muted">The webhook gets leads again as soon as it is on.</p>
  return (
    <p className="text-sm">
      It was switched off
      {health.disabled_at !== null && (
        <>
          {' '}
          <RelativeTime at={health.disabled_at} />
        </>
      )}
      : {health.disabled_reason}
    </p>
  )
}
