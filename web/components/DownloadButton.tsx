import { Download } from 'lucide-react'
import { useState } from 'react'
import { requestText } from '#web/api/client.ts'
import { errorSentence } from '#web/api/errors.ts'
import { Button } from '#web/ui/action/Button.tsx'
import type { ButtonSize } from '#web/ui/action/button-class.ts'
import { toast } from '#web/ui/overlay/toast.ts'
import { saveFile } from './save-file.ts'

export interface DownloadButtonProps {
  path: string
  /** of the saved file */
  name: string
  label?: string
  size?: ButtonSize
  disabled?: boolean
}

/** Fetches a CSV file of the API and saves it. */
export function DownloadButton({
  path,
  name,
  label = 'Download CSV',
  size = 'sm',
  disabled = false,
}: DownloadButtonProps) {
  const [saving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      saveFile(name, await requestText(path))
    } catch (error) {
      toast.error(errorSentence(error))
    } finally {
      setSaving(false)
    }
  }
  return (
    <Button
      size={size}
      busy={saving}
      disabled={disabled}
      icon={<Download aria-hidden className="size-4" />}
      onClick={() => void save()}
      className="print:hidden"
    >
      {label}
    </Button>
  )
}
