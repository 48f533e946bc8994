import { useSession } from "../../app/session.tsx";

/** Support reads and changes nothing. */
export function useIsOperator(): boolean {
  return useSession().me.staffRole === "operator";
}
