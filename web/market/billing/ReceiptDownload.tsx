import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { formatReceiptNumber } from '#core/domain/market/payments/receipt-words.ts'
import { open } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { saveBlob } from '#web/components/save-file.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

/**
 * Saves the stored receipt of a payment: a page that prints on one sheet.
 * @param path the call that returns it: a client's own, or an administrator's
 */
export function ReceiptDownload({ path, number }: { path: string; number: number | null }) {
  const save = useMutation({
    mutationFn: async () => await (await open(path)).blob(),
    onSuccess: (blob) =>
      saveBlob(`receipt${number === null ? '' : `-${formatReceiptNumber(number)}`}.html`, blob),
    onError: (error) => toast.error(errorSentence(error)),
  })
  return (
    <Button
      size="sm"
      busy={save.isPending}
      icon={<Download aria-hidden className="size-4" />}
      onClick={() => save.mutate()}
    >
      Download
    </Button>
  )
}
