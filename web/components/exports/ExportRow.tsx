import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock, Download, RotateCw, Trash2, X } from 'lucide-react'
import type { Export } from '#core/contract/exports/export.ts'
import { isOpenExport } from '#web/api/export-progress.ts'
import { askForExport, exportsQuery, readExportFile, removeExport } from '#web/api/exports.ts'
import { errorSentence } from '#web/api/errors.ts'
import { useIdempotencyKeys } from '#web/hooks/use-idempotency-keys.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { toast } from '#web/ui/overlay/toast.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { ProgressBar } from '#web/ui/wait/ProgressBar.tsx'
import { saveBlob } from '../save-file.ts'
import { describeFilters, describeState, mayTryAgain, nameExport } from './export-words.ts'

const STATES = {
  waiting: { tone: 'waiting', text: 'Waiting', Icon: Clock },
  running: { tone: 'info', text: 'Being made', Icon: Clock },
  done: { tone: 'success', text: 'Ready', Icon: CircleCheck },
  failed: { tone: 'failure', text: 'Failed', Icon: CircleAlert },
} as const

/** One export: what it contains, how far it is, and what can be done with it. */
export function ExportRow({ made }: { made: Export }) {
  const { tone, text, Icon } = STATES[made.state]
  return (
    <li className="flex flex-col gap-2 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-6">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          {nameExport(made)}
          <Badge tone={tone} icon={<Icon aria-hidden />}>
            {text}
          </Badge>
          <RelativeTime at={made.created_at} className="text-xs font-normal text-muted" />
        </p>
        {made.kind === 'leads' && (
          <p className="text-sm break-words text-muted">{describeFilters(made.filters)}</p>
        )}
        {made.state === 'running' && made.rows_all !== null ? (
          <ProgressBar
            label="Rows written"
            text={describeState(made)}
            value={made.rows_done}
            max={made.rows_all}
          />
        ) : (
          <p role="status" className="text-sm text-muted tabular">
            {describeState(made)}
          </p>
        )}
      </div>
      <ExportActions made={made} />
    </li>
  )
}

function ExportActions({ made }: { made: Export }) {
  const queryClient = useQueryClient()
  const keys = useIdempotencyKeys()
  const onError = (error: unknown) => toast.error(errorSentence(error))
  const onSettled = () => queryClient.invalidateQueries({ queryKey: exportsQuery.queryKey })
  const download = useMutation({
    mutationFn: async () =>
      saveBlob(`${made.kind}-${made.created_at.slice(0, 10)}.csv`, await readExportFile(made.id)),
    onError,
  })
  const remove = useMutation({ mutationFn: () => removeExport(made.id), onError, onSettled })
  const again = useMutation({
    mutationFn: async () => {
      await askForExport(made.kind, made.filters, keys.keyOf(made.id))
      await removeExport(made.id)
    },
    onError,
    onSettled,
  })
  return (
    <span className="flex shrink-0 flex-wrap gap-2">
      {made.state === 'done' && (
        <Button
          size="sm"
          busy={download.isPending}
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download.mutate()}
        >
          Download
        </Button>
      )}
      {mayTryAgain(made) && (
        <Button
          size="sm"
          busy={again.isPending}
          icon={<RotateCw aria-hidden className="size-4" />}
          onClick={() => again.mutate()}
        >
          Try again
        </Button>
      )}
      <Button
        size="sm"
        variant="quiet"
        busy={remove.isPending}
        icon={
          isOpenExport(made) ? (
            <X aria-hidden className="size-4" />
          ) : (
            <Trash2 aria-hidden className="size-4" />
          )
        }
        onClick={() => remove.mutate()}
      >
        {isOpenExport(made) ? 'Cancel' : 'Delete'}
      </Button>
    </span>
  )
}
