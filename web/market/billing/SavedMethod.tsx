import { CreditCard } from 'lucide-react'
import { errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { useForgetMethod } from '../money-queries.ts'

/** Shows the card that an auto-recharge charges. */
export function SavedMethod({ name }: { name: string }) {
  const forget = useForgetMethod()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line px-3 py-2">
      <CreditCard aria-hidden className="size-4 shrink-0 text-muted" />
      <p className="min-w-0 flex-1 basis-32 text-sm break-words first-letter:uppercase">{name}</p>
      <Button
        size="sm"
        busy={forget.isPending}
        aria-label={`Remove ${name}`}
        onClick={() =>
          forget.mutate(undefined, {
            onSuccess: () => toast.success('The card is removed, and the auto-recharge is off'),
            onError: (error) => toast.error(errorSentence(error)),
          })
        }
      >
        Remove
      </Button>
    </div>
  )
}
