import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import type { ClientWebhook } from '#core/contract/market/client-page.ts'
import {
  DEAD_LETTERS_COUNTED,
  redriveResultSchema,
  type RedriveResult,
} from '#core/contract/operations/dead-letter.ts'
import { RESEND_LIMIT } from '#core/contract/webhooks/resend.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { ChangeDialog } from '#web/components/admin/ChangeDialog.tsx'
import { ReasonField } from '#web/components/admin/ReasonField.tsx'
import { useChange } from '#web/components/admin/use-change.ts'
import { useReason } from '#web/components/admin/use-reason.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Field } from '#web/ui/form/Field.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { clientFailedQuery } from '../../admin-client-queries.ts'

export interface ResendForClientProps {
  client: AdminClientDetail
  webhooks: readonly ClientWebhook[]
  onClose: () => void
}

/** Counts what finally failed for a client or one of its webhooks, then sends it again. */
export function ResendForClient({ client, webhooks, onClose }: ResendForClientProps) {
  const { user_id: id } = client
  const [webhook, setWebhook] = useState('')
  const reason = useReason()
  const failed = useQuery(clientFailedQuery(id, webhook))
  // If an answer is lost, the next try does not send anything twice.
  const keys = useIdempotencyKeys()
  const change = useChange(
    () => {
      const body = { note: reason.text, ...(webhook === '' ? {} : { webhook }) }
      return request(apiPath('admin', 'clients', id, 'resend-failed'), redriveResultSchema, {
        method: 'POST',
        body,
        idempotencyKey: keys.keyOf(JSON.stringify(body)),
      })
    },
    {
      done: ({ count }) => `${countOf(count, 'delivery')} ${count === 1 ? 'is' : 'are'} sent again`,
      onDone: onClose,
    },
  )
  const count = failed.data?.count ?? 0
  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={`Resend what failed for ${client.display_name}?`}
      description="Each goes to its webhook as a new delivery of the same event, so a receiver that has it already can tell."
      submit={count === 0 ? 'Resend' : `Resend ${formatCount(Math.min(count, RESEND_LIMIT))}`}
      dirty={reason.text !== ''}
      isBusy={change.isBusy}
      failure={change.failure}
      onSubmit={() => {
        if (count > 0) reason.askFor(() => change.send(undefined))
      }}
    >
      <Field label="Webhook">
        <Select
          value={webhook}
          onValueChange={setWebhook}
          options={[
            { value: '', label: 'All webhooks' },
            ...webhooks.map(({ webhook_config_id: value, webhook_name: label }) => ({ value, label })),
          ]}
        />
      </Field>
      <p role="status" className="text-sm">
        {failed.isError
          ? errorSentence(failed.error)
          : failed.data === undefined
            ? 'Counting…'
            : describeFailed(failed.data)}
      </p>
      <ReasonField reason={reason} fault={change.faultOf('note')} />
    </ChangeDialog>
  )
}

function describeFailed({ count, switched_off: off }: RedriveResult): string {
  const isMore = count + off >= DEAD_LETTERS_COUNTED
  const waits = off === 0 ? '' : ` ${formatCount(off, isMore)} more can only go when their webhook is on.`
  if (count === 0) return `Nothing has failed that can be sent again now.${waits}`
  const limit =
    count > RESEND_LIMIT ? ` ${formatCount(RESEND_LIMIT)} go at a time; repeat it for the rest.` : ''
  return `${countOf(count, 'delivery', isMore)} failed for good and can be sent again.${limit}${waits}`
}
