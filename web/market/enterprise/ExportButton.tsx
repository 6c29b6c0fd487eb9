import { Download } from 'lucide-react'
import { saveFile } from '#web/components/save-file.ts'
import { Button } from '#web/ui/action/Button.tsx'

export interface ExportButtonProps {
  /** name of the table and of the file, for example "performance" */
  what: string
  disabled: boolean
  /** returns the file's text for the rows on screen */
  write: () => string
}

export function ExportButton({ what, disabled, write }: ExportButtonProps) {
  return (
    <Button
      size="sm"
      icon={<Download aria-hidden className="size-4" />}
      disabled={disabled}
      aria-label={`Export CSV: ${what}`}
      onClick={() => saveFile(`${what}.csv`, write())}
    >
      Export CSV
    </Button>
  )
}
