import { useMutation } from '@tanstack/react-query'
import clsx from 'clsx'
import { Download, ExternalLink, Eye } from 'lucide-react'
import { useState } from 'react'
import type { Evidence } from '#core/contract/market/return-evidence.ts'
import { errorSentence } from '#web/api/errors.ts'
import { downloadUrl, saveLink } from '#web/components/save-file.ts'
import { formatBytes } from '#web/format/bytes.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'

export interface EvidenceFilesProps {
  files: readonly Evidence[]
  /** Returns a URL that works for some minutes without a token; without it the files are only named. */
  askLink: ((file: Evidence) => Promise<string>) | undefined
  /** without a frame, inside of a card */
  isBare?: boolean
}

/** The files of a return. Each is fetched when somebody opens it, never before. */
export function EvidenceFiles({ files, askLink, isBare = false }: EvidenceFilesProps) {
  if (files.length === 0) return null
  return (
    <ul
      aria-label="Evidence"
      className={clsx('flex flex-col divide-y divide-line', !isBare && 'rounded-lg border border-line')}
    >
      {files.map((file) => (
        <EvidenceFile key={file.id} file={file} askLink={askLink} />
      ))}
    </ul>
  )
}

function EvidenceFile({ file, askLink }: { file: Evidence } & Pick<EvidenceFilesProps, 'askLink'>) {
  // Anything else, a PDF for example, is saved: it could run scripts here.
  const isShown = /^(?:image|audio|video)\//.test(file.content_type)
  const open = useMutation({
    mutationFn: async () => await askLink?.(file),
    onSuccess: (url) => {
      if (!isShown && url !== undefined) saveLink(url, file.file_name)
    },
    onError: (error) => toast.error(errorSentence(error)),
  })
  return (
    <li className="flex flex-col gap-2 px-4 py-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 flex-1 basis-40 text-sm">
          <span className="block break-all text-ink">{file.file_name}</span>
          <span className="block text-xs text-muted tabular">{formatBytes(file.size)}</span>
        </p>
        {askLink !== undefined && (
          <Button
            size="sm"
            busy={open.isPending}
            icon={
              isShown ? <Eye aria-hidden className="size-4" /> : <Download aria-hidden className="size-4" />
            }
            aria-label={`${isShown ? 'Open' : 'Download'} ${file.file_name}`}
            onClick={() => open.mutate()}
          >
            {isShown ? 'Open' : 'Download'}
          </Button>
        )}
      </div>
      {isShown && open.data !== undefined && <Opened key={open.data} file={file} url={open.data} />}
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
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- a client's own recording has none
        <video
          src={url}
          controls
          aria-label={name}
          onError={cannot}
          className="max-h-96 max-w-full rounded-md"
        />
      )}
      <p className="flex flex-wrap gap-2">
        <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet', 'sm')}>
          <ExternalLink aria-hidden className="size-4" />
          New tab
        </a>
        <a href={downloadUrl(url, name)} className={buttonClass('quiet', 'sm')}>
          <Download aria-hidden className="size-4" />
          Download
        </a>
      </p>
    </div>
  )
}
