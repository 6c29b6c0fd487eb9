import clsx from 'clsx'
import { CircleAlert, Upload as UploadIcon, Smartphone } from 'lucide-react'
import { useId, useRef, useState, type ComponentProps, type DragEvent } from 'react'
import { EVIDENCE_LIMITS, EVIDENCE_TYPES } from '#core/contract/market/return-evidence.ts'
import { countOf } from '#web/format/count-of.ts'
import { Button, type ButtonProps } from '#web/ui/action/Button.tsx'
import { EvidenceRow } from './EvidenceRow.tsx'
import type { useEvidence } from './use-evidence.ts'

/** Takes files by button, by drop and from a phone's camera. */
export function EvidenceField({
  evidence,
  error,
  asked,
}: {
  evidence: ReturnType<typeof useEvidence>
  error: string | undefined
  /** how often the return was asked for: a fault that comes again is shown again */
  asked: number
}) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const { uploads, leftOut } = evidence
  const stored = uploads.filter(({ state }) => state === 'stored').length
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    evidence.add([...event.dataTransfer.files])
  }
  const fault =
    leftOut > 0 ? `At most ${EVIDENCE_LIMITS.files} files: ${countOf(leftOut, 'file')} left out.` : error
  if (!evidence.mayStore)
    return (
      <p className="text-sm text-muted">
        Recordings and pictures can be attached once your account is approved. Describe them in the note.
      </p>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons do the same by keyboard
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={`${id}-hint`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={clsx(
        'flex flex-col gap-2 rounded-lg border border-dashed p-3',
        isOver ? 'border-accent bg-hover' : 'border-line',
      )}
    >
      <p id={`${id}-label`} className="text-sm font-medium">
        Evidence
      </p>
      {uploads.length > 0 && (
        <ul aria-labelledby={`${id}-label`} className="flex flex-col divide-y divide-line">
          {uploads.map((upload) => (
            <EvidenceRow
              key={upload.key}
              upload={upload}
              onRetry={() => evidence.retry(upload)}
              onRemove={() => evidence.remove(upload)}
            />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        <PickButton
          label="Add files"
          icon={<UploadIcon aria-hidden className="size-4" />}
          accept={EVIDENCE_TYPES}
          multiple
          onChoose={evidence.add}
        />
        {/* Some phones offer no camera where several kinds of files may be chosen. */}
        <PickButton
          label="Take a photo"
          icon={<Smartphone aria-hidden className="size-4" />}
          accept="image/*"
          capture="environment"
          className="hidden! pointer-coarse:inline-flex!"
          onChoose={evidence.add}
        />
      </div>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {`Up to ${EVIDENCE_LIMITS.files} recordings, pictures, videos or PDF files of 25 MB each. Drop or paste them here too.`}
      </p>
      {fault !== undefined && (
        <p
          key={`${asked} ${evidence.added}`}
          ref={show}
          role="alert"
          className="flex items-start gap-1.5 text-xs text-failure"
        >
          <CircleAlert aria-hidden className="mt-px size-3.5 shrink-0" />
          {fault}
        </p>
      )}
      <p role="status" className="sr-only">
        {uploads.length === 0 ? '' : `${stored} of ${countOf(uploads.length, 'file')} uploaded`}
      </p>
    </div>
  )
}

/** The button below a long list would otherwise seem to do nothing. */
const show = (fault: HTMLElement | null) => fault?.scrollIntoView({ block: 'nearest' })

/** Opens the browser's own picker. */
function PickButton({
  label,
  icon,
  className,
  onChoose,
  ...input
}: Pick<ComponentProps<'input'>, 'accept' | 'multiple' | 'capture'> &
  Pick<ButtonProps, 'icon' | 'className'> & { label: string; onChoose: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        {...input}
        ref={picker}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])])
          // The same file may be chosen again.
          currentTarget.value = ''
        }}
      />
      <Button size="sm" icon={icon} className={className} onClick={() => picker.current?.click()}>
        {label}
      </Button>
    </>
  )
}
