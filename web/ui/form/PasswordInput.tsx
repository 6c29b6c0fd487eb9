import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../action/IconButton.tsx'
import { TextInput, type TextInputProps } from './TextInput.tsx'

export interface PasswordInputProps extends Omit<TextInputProps, 'type'> {
  /** The hidden value's name for the button: "Show password". */
  what?: string
}

export function PasswordInput({ what = 'password', ...props }: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  return (
    <div className="relative">
      <TextInput {...props} type={shown ? 'text' : 'password'} spellCheck={false} className="pr-10" />
      <IconButton
        size="sm"
        label={`${shown ? 'Hide' : 'Show'} ${what}`}
        icon={shown ? <EyeOff /> : <Eye />}
        onClick={() => setShown(!shown)}
        className="absolute top-1 right-1"
      />
    </div>
  )
}
