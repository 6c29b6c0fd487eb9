import { CircleCheck, RotateCw, X } from 'lucide-react'
import { formatBytes } from '#web/format/bytes.ts'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { ProgressBar } from '#web/ui/wait/ProgressBar.tsx'
import type { Upload } from './use-evidence.ts'

export interface EvidenceRowProps {
  upload: Upload
  onRetry: () => void
  onRemove: () => void
}

/** A chosen file, how far it is, and what can be done with it. */
export function EvidenceRow({ upload, onRetry, onRemove }: EvidenceRowProps) {
  const { file, state, sent, message } = upload
  // The last step is the server's: it checks and keeps the file.
  const percent = Math.min(99, Math.floor((sent / file.size) * 100))
  return (
    <li className="flex items-center gap-2 py-1.5">
      <div className="min-w-0 flex-1 text-sm">
        {state === 'sending' ? (
          <ProgressBar label={file.name} text={`${percent}%`} value={percent} max={100} />
        ) : (
          <>
            <p className="break-words">{file.name}</p>
            {message === undefined ? (
              <p className="flex items-center gap-1 text-xs text-muted tabular">
                <CircleCheck aria-hidden className="size-3.5 text-success" />
                {`Uploaded, ${formatBytes(file.size)}`}
              </p>
            ) : (
              <p className="text-xs text-failure">{message}</p>
            )}
          </>
        )}
      </div>
      {state === 'failed' && (
        <IconButton size="sm" label={`Try ${file.name} again`} icon={<RotateCw />} onClick={onRetry} />
      )}
      <IconButton size="sm" label={`Remove ${file.name}`} icon={<X />} onClick={onRemove} />
    </li>
  )
}
