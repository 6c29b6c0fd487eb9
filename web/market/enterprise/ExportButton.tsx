import { Download } from 'lucide-react'
import { saveFile } from '#web/components/save-file.ts'
import { Button } from '#web/ui/action/Button.tsx'

export interface ExportButtonProps {
  /** "performance": of which table, and the file's name */
  what: string
  disabled: boolean
  /** the file's text, of what is on screen */
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
