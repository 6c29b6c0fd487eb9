import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorSentence } from '../../api/errors.ts'
import { Button } from '../../ui/action/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { acknowledgeRevocation } from './revocation-queries.ts'

export interface AcknowledgeButtonProps {
  leadId: string
  /** tells the button from others of the list */
  label?: string
  /** The button leaves with what is acknowledged, so the caller moves the focus. */
  onAcknowledged: () => void
}

/** The receipt of a person: the account does not contact the person of this lead any more. */
export function AcknowledgeButton({ leadId, label, onAcknowledged }: AcknowledgeButtonProps) {
  const queryClient = useQueryClient()
  const acknowledge = useMutation({
    mutationFn: () => acknowledgeRevocation(leadId),
    onSuccess: () => {
      toast.success('Acknowledged')
      onAcknowledged()
    },
    onError: (error) => toast.error(errorSentence(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  })
  return (
    <Button
      variant="primary"
      size="sm"
      aria-label={label}
      busy={acknowledge.isPending}
      onClick={() => acknowledge.mutate()}
      className="print:hidden"
    >
      Acknowledge
    </Button>
  )
}
