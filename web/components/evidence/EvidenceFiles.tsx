import { useMutation } from '@tanstack/react-query'
import { Download, ExternalLink, Eye } from 'lucide-react'
import { useState } from 'react'
import type { Evidence } from '#core/contract/market/return-evidence.ts'
import { errorSentence } from '#web/api/errors.ts'
import { downloadUrl } from '#web/components/save-file.ts'
import { formatBytes } from '#web/format/bytes.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'

export interface EvidenceFilesProps {
  files: readonly Evidence[]
  /** Returns a URL that works for some minutes without a token. */
  askLink: (file: Evidence) => Promise<string>
}

/** The files of a return. Each is fetched when somebody opens it, never before. */
export function EvidenceFiles({ files, askLink }: EvidenceFilesProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Evidence" className="flex flex-col divide-y divide-line rounded-lg border border-line">
      {files.map((file) => (
        <EvidenceFile key={file.id} file={file} askLink={askLink} />
      ))}
    </ul>
  )
}

function EvidenceFile({ file, askLink }: { file: Evidence } & Pick<EvidenceFilesProps, 'askLink'>) {
  const open = useMutation({
    mutationFn: () => askLink(file),
    onError: (error) => toast.error(errorSentence(error)),
  })
  return (
    <li className="flex flex-col gap-2 px-3 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-40 text-sm">
          <span className="block break-all text-ink">{file.file_name}</span>
          <span className="block text-xs text-muted tabular">{formatBytes(file.size)}</span>
        </p>
        <Button
          size="sm"
          busy={open.isPending}
          icon={<Eye aria-hidden className="size-4" />}
          aria-label={`Open ${file.file_name}`}
          onClick={() => open.mutate()}
        >
          Open
        </Button>
      </div>
      {open.data !== undefined && <Opened key={open.data} file={file} url={open.data} />}
    </li>
  )
}

function Opened({ file: { file_name: name, content_type: type }, url }: { file: Evidence; url: string }) {
  const [isUnshown, setIsUnshown] = useState(false)
  const cannot = () => setIsUnshown(true)
  const [kind] = type.split('/')
  return (
    <div className="flex flex-col gap-2">
      {isUnshown ? (
        <p className="text-sm text-muted">This browser cannot show the file. Download it.</p>
      ) : kind === 'image' ? (
        <img src={url} alt={name} onError={cannot} className="max-h-96 max-w-full self-start rounded-md" />
      ) : kind === 'audio' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's own recording has none
        <audio src={url} controls aria-label={name} onError={cannot} className="w-full max-w-xl" />
      ) : kind === 'video' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's own recording has none
        <video
          src={url}
          controls
          aria-label={name}
          onError={cannot}
          className="max-h-96 max-w-full rounded-md"
        />
      ) : null}
      <p className="flex flex-wrap gap-2">
        {/* A PDF is saved: it could run scripts here. */}
        {type !== 'application/pdf' && (
          <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet', 'sm')}>
            <ExternalLink aria-hidden className="size-4" />
            New tab
          </a>
        )}
        <a href={downloadUrl(url, name)} className={buttonClass('quiet', 'sm')}>
          <Download aria-hidden className="size-4" />
          Download
        </a>
      </p>
    </div>
  )
}
