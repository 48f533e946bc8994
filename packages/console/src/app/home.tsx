import { Navigate } from "@tanstack/react-router";
import { homeOf } from "./navigation.ts";
import { useSession } from "./session.tsx";
import { Loading } from "./states.tsx";

/** Until the page that it leads to is loaded, that is what there is to see. */
export function Home() {
  return (
    <>
      <Navigate to={homeOf(useSession())} replace />
      <Loading />
    </>
  );
}
