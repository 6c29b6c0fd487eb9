import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './Button.tsx'
import { IconButton } from './IconButton.tsx'
import { toast } from '../overlay/toast.ts'

export interface CopyButtonProps {
  value: string
  /** Says what is copied, for example "Copy email". */
  label: string
  /** Shows the label beside the icon. */
  labelled?: boolean
  className?: string
}

export function CopyButton({ value, label, labelled = false, className = '' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1600)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setCopied(true),
      () => toast.error('The browser refused to copy. Select the text and copy it by hand.'),
    )
  }
  const icon = copied ? (
    <Check aria-hidden className="size-4 text-success" />
  ) : (
    <Copy aria-hidden className="size-4" />
  )
  return (
    <>
      {labelled ? (
        <Button size="sm" icon={icon} onClick={copy} className={className}>
          {label}
        </Button>
      ) : (
        <IconButton size="sm" label={label} icon={icon} onClick={copy} className={className} />
      )}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}
