import clsx from 'clsx'
import { FlaskConical } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '#web/ui/action/Button.tsx'
import type { WebhookFormValues } from '../webhook-form-values.ts'
import { DraftTestResult } from './DraftTestResult.tsx'
import { useDraftTest } from './use-draft-test.ts'
import { writeEndpointDraft } from './write-endpoint-draft.ts'

/** `configId` names the saved configuration whose stored values replace the masks in the form. */
export function EndpointTest({ configId }: { configId: string | null }) {
  const url = useWatch<WebhookFormValues, 'endpoint_url'>({ name: 'endpoint_url' })
  const write = (values: WebhookFormValues) => writeEndpointDraft(values, configId)
  const { run, isPending, kept } = useDraftTest({ write, templateOf: (values) => values.payload_template })
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (kept !== null) place.current?.scrollIntoView({ block: 'nearest' })
  }, [kept])

  return (
    <div className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon={<FlaskConical aria-hidden className="size-4" />}
          busy={isPending}
          disabled={url.trim() === ''}
          onClick={run}
        >
          {isPending ? 'Testing...' : 'Test Endpoint'}
        </Button>
        <p className="min-w-0 flex-1 basis-44 text-xs text-muted">
          Sends a fictional lead exactly as a delivery would be sent. Nothing is logged or saved.
        </p>
      </div>
      <div
        ref={place}
        role="status"
        className={clsx('scroll-my-5 transition-opacity', isPending && 'opacity-50')}
      >
        {kept !== null && <DraftTestResult kept={kept} write={write} />}
      </div>
      {kept === null && (
        <p className="hidden flex-1 items-center justify-center rounded-lg border border-dashed border-line p-4 text-center text-xs text-muted lg:flex">
          The answer of your endpoint will appear here.
        </p>
      )}
    </div>
  )
}
