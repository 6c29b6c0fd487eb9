import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Archive, Download } from 'lucide-react'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ExportFilters, ExportKind } from '#core/contract/exports/export.ts'
import { lazyPart } from '#web/app/lazy-part.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'

const ExportsDialog = lazyPart(
  'ExportsDialog',
  async () => (await import('./ExportsDialog.tsx')).ExportsDialog,
)

export interface ExportButtonProps {
  kind: ExportKind
  /** those of the list; an empty text narrows nothing */
  filters?: Readonly<Record<string, string>>
  /** of the file that is sent at once */
  path: string
  /** of the saved file */
  name: string
  label: string
  size?: 'sm' | 'md'
  disabled?: boolean
}

const OPEN = 'exports'

/**
 * Saves a list as a CSV file: at once, or in the background if it is long. Beside it, the list of one's exports, which a
 * link may open too.
 */
export function ExportButton({
  kind,
  filters = {},
  path,
  name,
  label,
  size = 'sm',
  disabled = false,
}: ExportButtonProps) {
  const [search, setSearch] = useSearchParams()
  const queryClient = useQueryClient()
  const keys = useIdempotencyKeys()
  const narrowed: ExportFilters = Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== ''),
  )
  const setOpen = (isOpen: boolean) => {
    const next = new URLSearchParams(location.search)
    if (isOpen) next.set(OPEN, 'open')
    else next.delete(OPEN)
    setSearch(next, { replace: true })
  }
  const save = useMutation({
    mutationFn: async () => {
      // Only a press needs it.
      const { beginExport } = await import('./begin-export.ts')
      return await beginExport({ kind, filters: narrowed, path, name }, { queryClient, keys })
    },
    onSuccess: (outcome) => {
      if (outcome === 'asked') setOpen(true)
    },
    onError: (error) => toast.error(errorSentence(error)),
  })
  return (
    <span className="flex items-center gap-1 print:hidden">
      <Button
        size={size}
        busy={save.isPending}
        disabled={disabled}
        icon={<Download aria-hidden className="size-4" />}
        onClick={() => save.mutate()}
      >
        {label}
      </Button>
      <Tooltip content="Your exports">
        <IconButton label="Your exports" icon={<Archive />} size={size} onClick={() => setOpen(true)} />
      </Tooltip>
      {search.has(OPEN) && (
        <Suspense fallback={null}>
          <ExportsDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
