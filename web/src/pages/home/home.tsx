import { PageTitle } from '../../parts/page-title.tsx';

export default function Home() {
  return <PageTitle>Inicio</PageTitle>;
}
