import { useMutation } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { errorSentence } from '../api/errors.ts'
import { Button } from '../ui/action/Button.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { openQueueSession } from './operation-queries.ts'

/**
 * A page of the server, outside this app. A direct visit without its short session is redirected to /admin.
 */
const QUEUE_DASHBOARD = '/admin/queues'

/** Opens the queue dashboard; by itself if `?open=queues` asks for it. */
export function OpenQueueBoard() {
  const { mutate, isPending } = useMutation({
    mutationFn: (_address: string) => openQueueSession(),
    onSuccess: (_answer, address) => location.assign(address),
    onError: (error) => toast.error(errorSentence(error)),
  })
  const [search, setSearch] = useSearchParams()
  const isSentHere = search.get('open') === 'queues'
  useEffect(() => {
    if (!isSentHere) return
    setSearch({}, { replace: true })
    mutate(`${QUEUE_DASHBOARD}?opened`)
  }, [isSentHere, mutate, setSearch])
  return (
    <Button
      busy={isPending}
      icon={<ExternalLink aria-hidden className="size-4" />}
      onClick={() => mutate(QUEUE_DASHBOARD)}
    >
      Open queue dashboard
    </Button>
  )
}
