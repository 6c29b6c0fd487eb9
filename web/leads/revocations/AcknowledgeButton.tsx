import { useMutation, useQueryClient } from '@tanstack/react-query'
import { errorSentence } from '../../api/errors.ts'
import { Button } from '../../ui/action/Button.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { acknowledgeRevocation } from './revocation-queries.ts'

/** The receipt of a person: the account does not contact the person of this lead any more. */
export function AcknowledgeButton({ leadId, size }: { leadId: string; size?: 'sm' }) {
  const queryClient = useQueryClient()
  const acknowledge = useMutation({
    mutationFn: () => acknowledgeRevocation(leadId),
    onSuccess: () => toast.success('Acknowledged'),
    onError: (error) => toast.error(errorSentence(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['leads'] }),
  })
  return (
    <Button
      variant="primary"
      {...(size !== undefined && { size })}
      busy={acknowledge.isPending}
      onClick={() => acknowledge.mutate()}
      className="print:hidden"
    >
      Acknowledge
    </Button>
  )
}
