import clsx from 'clsx'
import { FlaskConical } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import type { ClientEvent } from '#core/contract/events.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { DraftTestResult } from '../endpoint-test/DraftTestResult.tsx'
import { useDraftTest } from '../endpoint-test/use-draft-test.ts'
import { writeEventDraft } from '../endpoint-test/write-endpoint-draft.ts'
import type { WebhookFormValues } from '../webhook-form-values.ts'

/** Sends the example of an event in its template, as the form has both, and shows the answer. */
export function EventTest({ event, configId }: { event: ClientEvent; configId: string | null }) {
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const write = (values: WebhookFormValues) => writeEventDraft(values, configId, event)
  const { run, isPending, kept } = useDraftTest({
    write,
    templateOf: ({ event_templates: own }) => own[event],
  })
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          icon={<FlaskConical aria-hidden className="size-3.5" />}
          busy={isPending}
          disabled={url.trim() === ''}
          aria-label={isPending ? undefined : `Send test of ${event}`}
          onClick={run}
        >
          {isPending ? 'Testing...' : 'Send test'}
        </Button>
        <span className="text-xs text-muted">An example, marked as a test. Nothing is logged.</span>
      </div>
      <div role="status" className={clsx('min-w-0 transition-opacity', isPending && 'opacity-50')}>
        {kept !== null && <DraftTestResult kept={kept} write={write} />}
      </div>
    </>
  )
}
