import { createContext } from 'react'

/** Closes the menu around an entry, with the focus back on its button. */
export const CloseMenu = createContext<() => void>(() => undefined)
