import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useId } from 'react'
import { Button } from '#web/ui/action/Button.tsx'
import { ADD_WEBHOOK_ID } from './find-add-webhook.ts'
import { webhookLimitQuery } from '../queries/webhook-configs.ts'

/**
 * `count` is the number of webhooks, undefined until known. The server checks the limit again when the form
 * is saved.
 */
export function AddWebhook({ count, onAdd }: { count: number | undefined; onAdd: () => void }) {
  const reasonId = useId()
  const limit = useQuery(webhookLimitQuery)
  const most = limit.data?.max_per_client
  const isFull = count !== undefined && most !== undefined && count >= most
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
      {isFull && (
        <p id={reasonId} className="text-sm text-muted">
          {`You have ${count.toLocaleString('en-US')} webhooks; ${most.toLocaleString('en-US')} is the most. Delete one to add another.`}
        </p>
      )}
      <Button
        id={ADD_WEBHOOK_ID}
        variant="primary"
        icon={<Plus aria-hidden className="size-4" />}
        disabled={isFull}
        {...(isFull ? { 'aria-describedby': reasonId } : {})}
        onClick={onAdd}
      >
        Add Webhook
      </Button>
    </div>
  )
}
